import { secretsIn } from '../../domain/execution/maskSecrets.ts';
import type { PollItem } from '../../domain/execution/triggerCalls.ts';
import type { Json } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import type { PollConfig, TriggerNode } from '../../domain/workflow/definition.ts';
import { pollSource } from '../../domain/workflow/pollShape.ts';
import type { Admitted, FoundWorkflow } from '../../engine/executions/starter.ts';
import { isAway } from '../../engine/rowByRow.ts';
import { addSeenKeys, type PolledWorkflow } from '../../prisma/store/poll/writePollStorage.ts';
import type { ActivityServices } from '../services.ts';

/** Executions started between two writes of the seen keys. */
const BATCH = 100;

export interface KeyedItem extends PollItem {
  keyHash: string;
}

export interface Starts {
  started: number;
  failed: number;
  error?: unknown;
  isRefused: boolean;
}

/** Throws if the engine or the database is unavailable, or the worker stops; other failures are returned. */
export async function startItems(
  services: ActivityServices,
  polled: PolledWorkflow,
  items: readonly KeyedItem[],
  secrets: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Starts> {
  const all: Starts = { started: 0, failed: 0, isRefused: false };
  for (let from = 0; from < items.length; from += BATCH) {
    signal.throwIfAborted();
    const started: string[] = [];
    for (const item of items.slice(from, from + BATCH)) {
      const outcome = await tryToStart(services, polled, item, secrets, signal);
      if (outcome === 'refused') return { ...all, isRefused: true };
      if (outcome === 'started') started.push(item.keyHash);
      else {
        all.failed += 1;
        all.error ??= outcome.error;
      }
    }
    all.started += started.length;
    await addSeenKeys(services.database, polled, started);
  }
  return all;
}

async function tryToStart(
  services: ActivityServices,
  polled: PolledWorkflow,
  item: KeyedItem,
  secrets: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<'started' | 'refused' | { error: unknown }> {
  try {
    return (await start(services, polled, item, secrets)) ? 'started' : 'refused';
  } catch (error) {
    // Without the engine or the database all fail, so the engine retries the whole look.
    if (isAway(error) || signal.aborted) throw error;
    return { error };
  }
}

/** False if the workflow no longer accepts starts from this source. */
async function start(
  services: ActivityServices,
  polled: PolledWorkflow,
  { keyHash, item, starters }: KeyedItem,
  secrets: readonly string[] = [],
): Promise<boolean> {
  const { starter, executionIds } = services;
  const { workspaceId, workflowId, source } = polled;
  const executionId = executionIds(workflowId, `poll ${source} ${keyHash}`);
  const start = { executionId, requestId: executionId, startedBy: { type: 'poll' }, starters } as const;
  try {
    let found = await starter.look(workspaceId, workflowId);
    for (; found; found = await starter.look(workspaceId, workflowId, 'rows')) {
      const outcome = await starter.start(found, start, admit(found, source, item, secrets));
      if (outcome !== 'stale') return true;
    }
    return false;
  } catch (error) {
    if (error instanceof Problem && error.code === 'WORKFLOW_NOT_EXECUTABLE') return false;
    throw error;
  }
}

async function admit(
  { head, definition: { trigger } }: FoundWorkflow,
  source: string,
  item: Json,
  secrets: readonly string[],
): Promise<Admitted> {
  if (!head.isActive || !isOf(trigger, source)) {
    throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow does not poll this any more');
  }
  const { connectionId } = trigger.config;
  const used = connectionId === undefined ? [] : [{ connectionId }];
  return { trigger: { item }, isAwaited: false, secrets: [...secretsIn(item, secrets), ...used] };
}

function isOf(trigger: TriggerNode, source: string): trigger is TriggerNode & { config: PollConfig } {
  return trigger.type === 'poll' && pollSource(trigger.config) === source;
}
