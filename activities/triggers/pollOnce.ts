import { connectionSecrets } from '../../domain/app/connectionSecrets.ts';
import { findTrigger } from '../../domain/app/manifest.ts';
import { durationWritten } from '../../domain/durationWords.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import { checkFieldValues } from '../../domain/fieldValues.ts';
import type { Json } from '../../domain/json.ts';
import type { PollConfig } from '../../domain/workflow/definition.ts';
import { type PollResult, pollFailed } from '../apps/poller.ts';
import { authorMessage } from '../authorMessage.ts';
import { openConnection } from '../connections/openConnection.ts';
import type { ActivityServices } from '../services.ts';

/** Writes nothing, and throws nothing caused by the app. */
export async function pollOnce(
  services: ActivityServices,
  workspaceId: string,
  { appId, triggerId, inputs: given = {}, connectionId, startWith = 'new' }: PollConfig,
  { cursor, sinceTransaction }: { cursor: Json; sinceTransaction: string },
  cancellation: AbortSignal,
): Promise<PollResult> {
  const { catalogue, config, pollerOf, log } = services;
  const manifest = findTrigger(catalogue, appId, triggerId);
  if (!manifest) return pollFailed('TRIGGER_UNKNOWN', `The catalogue has no trigger ${appId}.${triggerId}.`);
  const { values: inputs, problems } = checkFieldValues(manifest.inputConfig.fields, given, 'reject');
  const [problem] = problems;
  if (problem) return pollFailed('INVALID_INPUT', `${problem.path}: ${problem.message}`);
  const opened = connectionId ? await openConnection(services, workspaceId, connectionId) : undefined;
  if (connectionId && !opened) {
    return pollFailed('INVALID_INPUT', `connectionId: the connection ${connectionId} does not exist`);
  }
  if (opened && 'failure' in opened) return pollFailed(opened.failure.code, opened.failure.message);
  const connection = opened?.connection;
  const timeout = AbortSignal.timeout(config.POLL_TIMEOUT_MS);
  const signal = AbortSignal.any([cancellation, timeout]);
  const stopped = new Promise<PollResult>((resolve) => {
    const late = () =>
      resolve(pollFailed('TIMEOUT', `Not finished within ${durationWritten(config.POLL_TIMEOUT_MS)}.`));
    signal.addEventListener('abort', late, { once: true });
  });
  const work = async () =>
    pollerOf(
      appId,
      triggerId,
    )({ inputs, workspaceId, startWith, cursor, sinceTransaction, signal, ...(connection ? { connection } : {}) });
  // Read afterwards, because the poller may have renewed its token.
  const secretsOf = () => connectionSecrets(catalogue.get(appId)?.connectionTypes, connection);
  try {
    const result = await Promise.race([work(), stopped]);
    // A stopping worker ends the look like its time limit, but that is not a failure of the app: the look is retried.
    cancellation.throwIfAborted();
    return withoutSecrets(result, secretsOf());
  } catch (error) {
    cancellation.throwIfAborted();
    log.error({ error: error instanceof Error ? error.name : typeof error, appId, triggerId }, 'a poller threw');
    return withoutSecrets(pollFailed('TRIGGER_CRASHED', authorMessage(error)), secretsOf());
  }
}

/** Failures must not contain secrets. Those in items are listed separately. */
function withoutSecrets(result: PollResult, secrets: readonly string[]): PollResult {
  if (secrets.length === 0) return result;
  if (result.ok) return { ...result, secrets: [...secrets] };
  return { ok: false, failure: { ...result.failure, message: maskSecrets(result.failure.message, secrets) } };
}
