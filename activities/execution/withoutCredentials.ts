import type { Catalogue } from '../../domain/app/manifest.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { ActionCall, ActionResult } from '../apps/executor.ts';

/**
 * What an action says in words, without the credentials that it was given: what it called may have repeated them. Its
 * output is data that the next steps work with, and stays as it is.
 */
export function withoutCredentials(
  result: ActionResult,
  catalogue: Catalogue,
  appId: string | undefined,
  connection: ActionCall['connection'],
): ActionResult {
  if (connection === undefined || (result.ok && !result.console)) return result;
  const types = catalogue.get(appId ?? '')?.connectionTypes ?? [];
  const fields = types.find(({ connectionId }) => connectionId === connection.type)?.fields ?? [];
  const keys = fields.filter(({ type }) => type === 'secret').map(({ key }) => key);
  const secrets = keys.flatMap((key) => connection.credentials[key] ?? []);
  const { console } = result;
  return {
    ...result,
    ...(console ? { console: console.map((line) => ({ ...line, text: maskSecrets(line.text, secrets) })) } : {}),
    ...(result.ok ? {} : { failure: { ...result.failure, message: maskSecrets(result.failure.message, secrets) } }),
  } as ActionResult;
}
