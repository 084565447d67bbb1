import { connectionSecrets } from '../domain/app/connectionSecrets.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
import { findAction } from '../domain/app/manifest.ts';
import { maskSecrets, secretsIn } from '../domain/execution/maskSecrets.ts';
import { secretTexts } from '../domain/execution/secretTexts.ts';
import type { ActionResult } from './apps/executor.ts';
import type { CalledAction } from './calledAction.ts';

/** The secrets of a call: its credentials, and the values of secret inputs. */
export function secretsOfCall(
  catalogue: Catalogue,
  { appId, actionId, action = findAction(catalogue, appId, actionId), inputs, connection }: SecretCall,
): string[] {
  return [...connectionSecrets(catalogue, appId, connection), ...secretTexts(action?.inputConfig.fields, inputs)];
}

type SecretCall = Pick<CalledAction, 'appId' | 'actionId' | 'action' | 'inputs' | 'connection'>;

/**
 * Masks secrets in the messages of an action, because the called service may have repeated them. The output stays
 * unchanged for the next steps, with the list of secrets that occur in it.
 */
export function withoutSecrets(result: ActionResult, secrets: readonly string[]): ActionResult {
  if (secrets.length === 0) return result;
  const { console } = result;
  const shown = console && { console: console.map((line) => ({ ...line, text: maskSecrets(line.text, secrets) })) };
  if (!result.ok) {
    const { message, details } = result.failure;
    const masked = details && { details: maskSecrets(details, secrets) };
    return { ...result, ...shown, failure: { ...result.failure, message: maskSecrets(message, secrets), ...masked } };
  }
  const found = secretsIn(result.output, secrets);
  return { ...result, ...shown, ...(found.length === 0 ? {} : { secrets: found }) };
}
