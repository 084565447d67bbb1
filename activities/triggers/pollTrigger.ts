import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { PolledRun, PollItem, PollOutcome } from '../../domain/execution/triggerCalls.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { storageProblem } from '../../domain/storableJson.ts';
import { pollSource } from '../../domain/workflow/pollShape.ts';
import { type PollStorage, readPollStorage, unseenKeys } from '../../prisma/store/poll/readPollStorage.ts';
import {
  deleteOldKeys,
  type EngineRun,
  storePoll,
  storePollFailure,
} from '../../prisma/store/poll/writePollStorage.ts';
import { readWorkflowTrigger } from '../../prisma/store/schedule/readWorkflowTrigger.ts';
import { pollFailed } from '../apps/poller.ts';
import type { ActivityServices } from '../services.ts';
import { withHeartbeat } from '../withHeartbeat.ts';
import { pollOnce } from './pollOnce.ts';
import { type KeyedItem, startItems } from './startItems.ts';

const HEARTBEAT_MS = 2_000;
/** Tries of one look if not all items could be started, a second or two apart. Then it waits for its next time. */
const TRIES = 3;
/** The pause of a poll without a free place. It doubles each time, and a random half of it spreads the tries. */
const REFUSED_MS = { first: 1_000, longest: 15_000 };
const START_FAILED = 'POLL_START_FAILED';

/**
 * Starts one execution for each new item, with an id derived from workflow and key. Seen keys are written afterwards:
 * after a crash in between, the next poll starts the same executions, which already exist. If an item fails, the others
 * continue, its key is not written, and the cursor stays: each poll reads all items until the start succeeds or the
 * item disappears. `triggerStatus.lastError` has the reason.
 */
export function pollTrigger(services: ActivityServices, run: PolledRun): Promise<PollOutcome> {
  const { cancellationSignal, info } = Context.current();
  const refused = refusedBefore(info.heartbeatDetails);
  const work = async () => {
    const { pollPlaces } = services;
    if (!(await pollPlaces.enter(run.workspaceId, cancellationSignal))) throw noPlace(refused, cancellationSignal);
    try {
      return await poll(services, run, info.attempt - refused, cancellationSignal);
    } finally {
      pollPlaces.leave(run.workspaceId);
    }
  };
  return withHeartbeat(HEARTBEAT_MS, work, { refused });
}

/**
 * Temporal retries later, without a slot of the worker. The heartbeat keeps the number of refusals, which are no TRIES.
 */
function noPlace(refused: number, signal: AbortSignal): ApplicationFailure {
  signal.throwIfAborted();
  Context.current().heartbeat({ refused: refused + 1 });
  const wait = Math.min(REFUSED_MS.first * 2 ** refused, REFUSED_MS.longest);
  return ApplicationFailure.create({
    message: 'The polls of the workspace have their share of the worker',
    type: 'NO_PLACE',
    nextRetryDelay: Math.ceil(wait * (0.5 + Math.random() / 2)),
  });
}

function refusedBefore(details: Json | undefined): number {
  return details !== undefined && isJsonObject(details) ? Number(details.refused ?? 0) : 0;
}

async function poll(
  services: ActivityServices,
  run: PolledRun,
  attempt: number,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const { database, config } = services;
  const { workspaceId, workflowId } = run;
  const current = await readWorkflowTrigger(database, workspaceId, workflowId);
  if (!current?.isStarting || current.trigger.type !== 'poll') return { status: 'STOPPED', started: 0 };
  const { config: trigger } = current.trigger;
  const polled = { workspaceId, workflowId, source: pollSource(trigger) };
  const storage = await readPollStorage(database, workspaceId, workflowId);
  if (!storage) return { status: 'STOPPED', started: 0 };
  await forgetIdle(services, storage);
  if (storage.mustWait) return { status: 'WAITED', started: 0 };
  const isFirst = storage.source !== polled.source;
  const memory = { cursor: isFirst ? null : storage.cursor, sinceTransaction: storage.sinceTransaction };
  const looked = await pollOnce(services, workspaceId, trigger, memory, signal);
  const result = looked.ok ? (wrongItems(looked.items, config.POLL_MAX_ITEMS) ?? looked) : looked;
  if (!result.ok) {
    await storePollFailure(database, run, result.failure);
    return { status: 'FAILED', started: 0, code: result.failure.code };
  }

  const items = keyed(result.items);
  const keyHashes = items.map(({ keyHash }) => keyHash);
  const unseen = await unseenKeys(database, polled, keyHashes);
  const isBaseline = isFirst && (trigger.startWith ?? 'new') === 'new' && !result.areNew;
  const fresh = isBaseline ? [] : items.filter(({ keyHash }) => unseen.has(keyHash));
  const { started, failed, error, isRefused } = await startItems(services, polled, fresh, result.secrets, signal);
  if (isRefused) return { status: 'STOPPED', started };
  if (failed === 0) {
    await storePoll(database, polled, {
      cursor: result.cursor,
      keyHashes: isBaseline ? keyHashes : [],
      idle: idleRun(started),
    });
  } else {
    services.log.error({ workflowId, failed, err: error }, 'items of a poll could not be started');
    await storePollFailure(database, run, startFailure(failed));
  }
  // An "unchanged" answer has no items, so no keys are forgotten.
  if (unseen.size > 0) await deleteOldKeys(database, polled, { present: keyHashes, most: config.POLL_SEEN_KEYS });
  if (failed === 0) return { status: 'POLLED', started };
  if (attempt < TRIES) throw error;
  return { status: 'FAILED', started, code: START_FAILED };
}

function idleRun(started: number): EngineRun | undefined {
  return started === 0 ? Context.current().info.workflowExecution : undefined;
}

/**
 * The engine lists a workflow for each look, so the next look removes the previous, ended one. If that fails, it stays.
 */
async function forgetIdle(
  { engine, log }: Pick<ActivityServices, 'engine' | 'log'>,
  { idleWorkflowId: workflowId, idleRunId: runId }: Pick<PollStorage, 'idleWorkflowId' | 'idleRunId'>,
): Promise<void> {
  // Its own run, if the end of an earlier try was lost.
  if (workflowId === null || runId === null || runId === Context.current().info.workflowExecution?.runId) return;
  try {
    await engine.workflows.forget(workflowId, runId);
  } catch (error) {
    log.warn({ err: error, workflowId }, 'an idle poll stays in the list of the engine');
  }
}

/** Internal messages may quote the item, so they stay in the log. */
function startFailure(count: number) {
  const those = count === 1 ? 'An item' : `${count} items`;
  return { code: START_FAILED, message: `${those} could not be started; the next look tries again.` };
}

function wrongItems(items: readonly PollItem[], most: number) {
  if (items.length > most) return pollFailed('POLL_TOO_MANY_ITEMS', `More than ${most} items at once.`);
  for (const { item } of items) {
    const problem = itemProblem(item);
    if (problem !== undefined) return pollFailed('POLL_INVALID_ANSWER', `An item cannot be stored: ${problem}.`);
  }
  return undefined;
}

function itemProblem(item: Json): string | undefined {
  try {
    return storageProblem(JSON.stringify(item));
  } catch {
    // JSON.stringify fails for a nesting of some thousand levels, which JSON.parse accepts.
    return 'it is nested too deeply';
  }
}

function keyed(items: readonly PollItem[]): KeyedItem[] {
  const byHash = new Map<string, KeyedItem>();
  for (const each of items) {
    const keyHash = createHash('sha256').update(each.key).digest('hex');
    if (!byHash.has(keyHash)) byHash.set(keyHash, { ...each, keyHash });
  }
  return [...byHash.values()];
}
