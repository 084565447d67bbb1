import { pauseBeforeRetry } from '../../domain/agent/modelRetry.ts';
import { contentText } from '../../domain/agent/providerChunk.ts';
import { nameIn, namingMessages } from '../../domain/agent/taskName.ts';
import type { NamingCall, TaskNaming } from '../../domain/agent/turnCalls.ts';
import { priced, type Usage, usageOf } from '../../domain/agent/usage.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { nameOf, readUnnamed, type UnnamedTask } from '../../prisma/store/task/nameTask.ts';
import { runTry } from '../execution/runTry.ts';
import { whileDatabaseAway } from '../execution/whileDatabaseAway.ts';
import { chosenProvider, NoProvider } from '../providers/chosenProvider.ts';
import { providerFailure, providerTimeout } from '../providers/providerFailure.ts';
import type { ActivityServices } from '../services.ts';

const MAX_RETRIES = 2;

interface Named {
  name: string | undefined;
  usage: Usage;
}

/** A name that a person has given meanwhile stays. After a failure the task has no name. */
export function nameTask(
  services: ActivityServices,
  { workspaceId, runId, retries = 0, waitedMs = 0 }: NamingCall,
): Promise<TaskNaming> {
  return runTry(services.config, async (signal) => {
    const { database, log } = services;
    const unnamed = await whileDatabaseAway(signal, log, () => readUnnamed(database, workspaceId, runId));
    if (!unnamed) return { kind: 'done' };
    services.tracing.noteTurn(runId, unnamed.trace);
    const named = await askForName(services, workspaceId, unnamed, signal);
    const { taskId } = unnamed;
    if ('code' in named) {
      const { code, message } = named;
      log.warn({ taskId, runId, code, message }, 'a task could not be named');
      const limits = { maxRetries: MAX_RETRIES, maxWaitMs: services.config.MODEL_RETRY_MAX_WAIT_MS };
      const delayMs = pauseBeforeRetry(named, { retries, waitedMs }, limits);
      return delayMs === undefined ? { kind: 'done' } : { kind: 'failed', delayMs };
    }
    if (named.name === undefined) log.warn({ taskId, runId }, 'a task has no name: the model gave none');
    await whileDatabaseAway(signal, log, () => nameOf(database, workspaceId, taskId, named));
    return { kind: 'done' };
  });
}

async function askForName(
  services: ActivityServices,
  workspaceId: string,
  { selectedModelId: model, aiConnectionId, taskNamingInstructions, messages }: UnnamedTask,
  signal: AbortSignal,
): Promise<Named | Failure> {
  let secrets: readonly string[] = [];
  const { MODEL_CALL_TIMEOUT_MS: timeoutMs, MODEL_PRICES } = services.config;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const provider = await chosenProvider(services, { workspaceId, aiConnectionId: aiConnectionId ?? undefined });
    secrets = provider.secrets;
    const body = { model, messages: namingMessages(taskNamingInstructions, messages) };
    const answer = await provider.client.chat.completions.create(body, {
      signal: AbortSignal.any([signal, timeout]),
    });
    const usage = usageOf(answer.usage);
    const name = nameIn(contentText(answer.choices?.[0]?.message?.content));
    return { name, usage: priced(usage, MODEL_PRICES, model) };
  } catch (error) {
    if (signal.aborted || isDatabaseUnavailable(error)) throw error;
    if (error instanceof NoProvider) return { code: error.code, message: error.message, retryable: false };
    return timeout.aborted ? providerTimeout(timeoutMs) : await providerFailure(error, secrets);
  }
}
