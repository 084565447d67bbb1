import { secretTexts } from '../execution/secretTexts.ts';
import type { Catalogue } from './manifest.ts';

/** The secret texts of a connection: the values of the secret fields of its type. */
export function connectionSecrets(
  catalogue: Catalogue,
  appId: string,
  connection: { type: string; credentials: Record<string, string> } | undefined,
): string[] {
  if (connection === undefined) return [];
  const types = catalogue.get(appId)?.connectionTypes ?? [];
  const fields = types.find(({ connectionId }) => connectionId === connection.type)?.fields;
  return secretTexts(fields, connection.credentials);
}
