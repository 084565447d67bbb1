import { secretTexts } from '../execution/secretTexts.ts';
import type { ConnectionType } from './manifest.ts';
import { TOKEN_SECRETS } from './oauth2.ts';

/** Returns the values of the type's secret fields, and the tokens. `types`: those of the connection's app. */
export function connectionSecrets(
  types: readonly ConnectionType[] | undefined,
  connection: { type: string; credentials: Record<string, string> } | undefined,
): string[] {
  if (connection === undefined) return [];
  const { credentials } = connection;
  const type = types?.find(({ connectionId }) => connectionId === connection.type);
  const tokens = type?.type === 'oauth2' ? TOKEN_SECRETS.flatMap((key) => credentials[key] ?? []) : [];
  return [...secretTexts(type?.fields, credentials), ...tokens];
}
