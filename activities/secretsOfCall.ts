import { connectionSecrets } from '../domain/app/connectionSecrets.ts';
import type { Catalogue } from '../domain/app/manifest.ts';
import { findAction } from '../domain/app/manifest.ts';
import { maskSecrets, secretsIn } from '../domain/execution/maskSecrets.ts';
import { secretTexts } from '../domain/execution/secretTexts.ts';
import { isDeeperThan, MAX_DEPTH } from '../domain/jsonDepth.ts';
import type { ActionResult } from './apps/executor.ts';
import type { CalledAction } from './calledAction.ts';

export function secretsOfCall(
  catalogue: Catalogue,
  { appId, actionId, customApp, inputs, connection, secrets = [], ...called }: SecretCall,
): string[] {
  const action = called.action ?? findAction(catalogue, appId, actionId);
  const types = (customApp ?? catalogue.get(appId))?.connectionTypes;
  const own = [...connectionSecrets(types, connection), ...secretTexts(action?.inputConfig.fields, inputs)];
  return secrets.length === 0 ? own : [...own, ...secrets];
}

type SecretCall = Pick<
  CalledAction,
  'appId' | 'actionId' | 'action' | 'customApp' | 'inputs' | 'connection' | 'secrets'
>;

/** Masks messages, which may repeat secrets. The output stays unchanged for later steps, with a list of those in it. */
export function withoutSecrets(result: ActionResult, secrets: readonly string[]): ActionResult {
  if (secrets.length === 0) return result;
  const { console } = result;
  const shown = console && { console: console.map((line) => ({ ...line, text: maskSecrets(line.text, secrets) })) };
  if (!result.ok) {
    const { message, details } = result.failure;
    const masked = details && { details: maskSecrets(details, secrets) };
    return { ...result, ...shown, failure: { ...result.failure, message: maskSecrets(message, secrets), ...masked } };
  }
  // A value that is too deep is not stored, so it is not searched.
  const found = isDeeperThan(result.output, MAX_DEPTH) ? [] : secretsIn(result.output, secrets);
  return { ...result, ...shown, ...(found.length === 0 ? {} : { secrets: found }) };
}
