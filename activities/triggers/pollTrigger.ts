import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { derivedId } from '../../domain/derivedId.ts';
import type { PollItem } from '../../domain/execution/pollItem.ts';
import type { PolledRun, PollOutcome } from '../../domain/execution/triggerCalls.ts';
import { Problem } from '../../domain/problem.ts';
import { storageProblem } from '../../domain/storableJson.ts';
import type { PollConfig, TriggerNode } from '../../domain/workflow/definition.ts';
import { pollSource } from '../../domain/workflow/pollSource.ts';
import { readPollStorage, unseenKeys } from '../../prisma/store/poll/readPollStorage.ts';
import {
  addSeenKeys,
  deleteOldKeys,
  type PolledWorkflow,
  storePoll,
  storePollFailure,
} from '../../prisma/store/poll/writePollStorage.ts';
import { readTrigger } from '../../prisma/store/schedule/readTrigger.ts';
import { pollFailed } from '../apps/poller.ts';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';
import { lookOnce } from './lookOnce.ts';

const HEARTBEAT_MS = 2_000;
/** Executions that are started between two notes of what was started. */
const BATCH = 100;

interface KeyedItem extends PollItem {
  keyHash: string;
}

/**
 * One look of a poll trigger: each new item starts one execution, whose id follows from workflow and key. What was
 * started is noted afterwards: dying in between, the next look starts the same executions again, which are there.
 */
export function pollTrigger(services: ActivityServices, run: PolledRun): Promise<PollOutcome> {
  const { cancellationSignal } = Context.current();
  return beating(HEARTBEAT_MS, () => poll(services, run, cancellationSignal));
}

async function poll(services: ActivityServices, run: PolledRun, signal: AbortSignal): Promise<PollOutcome> {
  const { database, config } = services;
  const { workspaceId, workflowId } = run;
  const current = await readTrigger(database, workspaceId, workflowId);
  if (!current?.isStarting || current.trigger.type !== 'poll') return { status: 'STOPPED', started: 0 };
  const { config: trigger } = current.trigger;
  const polled = { workspaceId, workflowId, source: pollSource(trigger) };
  const storage = await readPollStorage(database, workspaceId, workflowId);
  if (storage?.mustWait) return { status: 'WAITED', started: 0 };
  const isFirst = storage?.source !== polled.source;
  const looked = await lookOnce(services, workspaceId, trigger, isFirst ? null : (storage?.cursor ?? null), signal);
  const result = looked.ok ? (wrongItems(looked.items, config.POLL_MAX_ITEMS) ?? looked) : looked;
  if (!result.ok) {
    await storePollFailure(database, run, result.failure);
    return { status: 'FAILED', started: 0, code: result.failure.code };
  }

  const items = keyed(result.items);
  const keyHashes = items.map(({ keyHash }) => keyHash);
  const unseen = await unseenKeys(database, polled, keyHashes);
  const isBaseline = isFirst && (trigger.startWith ?? 'new') === 'new';
  const fresh = isBaseline ? [] : items.filter(({ keyHash }) => unseen.has(keyHash));
  for (let from = 0; from < fresh.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = fresh.slice(from, from + BATCH);
    for (const item of batch) {
      if (!(await start(services, polled, item))) return { status: 'STOPPED', started: from };
    }
    await addSeenKeys(
      database,
      polled,
      batch.map(({ keyHash }) => keyHash),
    );
  }
  await storePoll(database, polled, { cursor: result.cursor, keyHashes: isBaseline ? keyHashes : [] });
  // An answer that says "unchanged" tells nothing of what is there: then nothing is forgotten.
  if (unseen.size > 0) await deleteOldKeys(database, polled, { present: keyHashes, most: config.POLL_SEEN_KEYS });
  return { status: 'POLLED', started: fresh.length };
}

function wrongItems(items: readonly PollItem[], most: number) {
  if (items.length > most) return pollFailed('POLL_TOO_MANY_ITEMS', `More than ${most} items at once.`);
  const wrong = items.find(({ item }) => storageProblem(JSON.stringify(item)) !== undefined);
  if (!wrong) return undefined;
  return pollFailed('POLL_INVALID_ANSWER', `An item cannot be stored: ${storageProblem(JSON.stringify(wrong.item))}.`);
}

/** Each key once, in order. */
function keyed(items: readonly PollItem[]): KeyedItem[] {
  const byHash = new Map<string, KeyedItem>();
  for (const each of items) {
    const keyHash = createHash('sha256').update(each.key).digest('hex');
    if (!byHash.has(keyHash)) byHash.set(keyHash, { ...each, keyHash });
  }
  return [...byHash.values()];
}

/** False where the workflow takes no start of this source any more. */
async function start(
  services: ActivityServices,
  polled: PolledWorkflow,
  { keyHash, item }: KeyedItem,
): Promise<boolean> {
  const { workspaceId, workflowId, source } = polled;
  const executionId = derivedId(workflowId, `poll ${source} ${keyHash}`);
  try {
    const accepted = await services.starter.startWorkflow(
      workspaceId,
      workflowId,
      { executionId, requestId: executionId },
      (head, { trigger }) => {
        if (!head.isActive || !isOf(trigger, source)) {
          throw new Problem('WORKFLOW_NOT_EXECUTABLE', 'The workflow does not poll this any more');
        }
        return { trigger: { item }, isAwaited: false };
      },
    );
    return accepted !== undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === 'WORKFLOW_NOT_EXECUTABLE') return false;
    throw error;
  }
}

function isOf(trigger: TriggerNode, source: string): trigger is TriggerNode & { config: PollConfig } {
  return trigger.type === 'poll' && pollSource(trigger.config) === source;
}
