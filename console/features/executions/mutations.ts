import { queryOptions } from '@tanstack/react-query';
import type { Arguments } from 'perdure-client';
import { isTerminal } from '../../../domain/execution/status.ts';
import { client } from '../../app/session/session.ts';
import type { ExecutionRow } from './queries/executions.ts';

export type StopKind = 'cancel' | 'terminate';

export async function stopExecution(executionId: string, kind: StopKind, reason: string): Promise<void> {
  const given = { path: { executionId }, body: reason.trim() === '' ? {} : { reason: reason.trim() } };
  await (kind === 'cancel' ? client.cancelExecution(given) : client.terminateExecution(given));
}

export const retryExecution = (executionId: string, body: Arguments<'retryExecution'>['body']) =>
  client.retryExecution({ path: { executionId }, body });

export async function acknowledgeExecution(executionId: string, note: string): Promise<void> {
  await client.acknowledgeExecution({ path: { executionId }, body: note.trim() === '' ? {} : { note: note.trim() } });
}

export type BulkTarget = { filterBy: string } | { rows: ExecutionRow[] };

interface BulkProgress {
  accepted: number;
  failed: { executionId: string; code: string; message: string }[];
}

interface BulkOptions {
  /** The note of an acknowledgement, or the reason of an end. */
  reason: string;
  /** Only for a retry: failed items of completed loops run again. */
  failedItems: boolean;
  signal: AbortSignal;
  onProgress: (progress: BulkProgress) => void;
}

export type BulkKind = 'retry' | 'acknowledge' | 'cancel' | 'terminate';

/** A first guess from the row. The server decides: only it can find completed executions with failed items. */
function mayBeEligible(kind: BulkKind, row: ExecutionRow, failedItems: boolean): boolean {
  if (kind === 'acknowledge') return isUnacknowledged(row);
  const { status = 'PENDING' } = row;
  if (kind !== 'retry') return !isTerminal(status);
  return isTerminal(status) && (failedItems || status !== 'COMPLETED');
}

export const isUnacknowledged = (row: Pick<ExecutionRow, 'status' | 'acknowledged'> | undefined) =>
  (row?.status === 'FAILED' || row?.status === 'TIMED_OUT') && row.acknowledged == null;

/** The most executions that one request can name. */
const MAX_NAMED = 100;

type Part = { all: true } | { filterBy: string } | { executionIds: string[] };

function parts(kind: BulkKind, target: BulkTarget, failedItems: boolean): Part[] {
  if ('filterBy' in target) return [target.filterBy === '' ? { all: true } : { filterBy: target.filterBy }];
  const ids = target.rows.filter((row) => mayBeEligible(kind, row, failedItems)).map(({ id }) => id);
  const count = Math.ceil(ids.length / MAX_NAMED);
  return Array.from({ length: count }, (_, at) => ({ executionIds: ids.slice(at * MAX_NAMED, (at + 1) * MAX_NAMED) }));
}

interface Matching {
  count: number;
  /** The counts if failed loop items also run again; absent if there are none. */
  again?: { count: number; withFailedItems: number };
}

export function matching(kind: BulkKind, target: BulkTarget) {
  return queryOptions({
    queryKey: ['bulk', kind, target],
    queryFn: () => countMatching(kind, target),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A cancellation and a termination have the same counts. */
async function countMatching(kind: BulkKind, target: BulkTarget): Promise<Matching> {
  const dry = { dryRun: true };
  if (kind !== 'retry') {
    const count = kind === 'acknowledge' ? client.bulkAcknowledgeExecutions : client.bulkCancelExecutions;
    const counts = parts(kind, target, false).map((body) => count({ body: { ...body, ...dry } }));
    return { count: summed(await Promise.all(counts)).count };
  }
  const counts = (failedItems: boolean) =>
    Promise.all(
      parts(kind, target, failedItems).map((body) =>
        client.bulkRetryExecutions({ body: { ...body, ...dry, ...(failedItems ? { failedItems: 'again' } : {}) } }),
      ),
    ).then(summed);
  const [plain, again] = await Promise.all([counts(false), counts(true)]);
  const { count, withFailedItems } = again;
  return { count: plain.count, ...(withFailedItems > 0 ? { again: { count, withFailedItems } } : {}) };
}

function summed(answers: Awaited<ReturnType<typeof client.bulkRetryExecutions>>[]) {
  const total = { count: 0, withFailedItems: 0 };
  for (const answer of answers) {
    if (!('count' in answer)) throw new Error('A dry run answered as if it had acted');
    total.count += answer.count;
    total.withFailedItems += answer.withFailedItems ?? 0;
  }
  return total;
}

/** Runs rounds until none remain, the signal aborts, or a round changes nothing. */
export async function runBulk(kind: BulkKind, target: BulkTarget, options: BulkOptions): Promise<void> {
  const total: BulkProgress = { accepted: 0, failed: [] };
  for (const part of parts(kind, target, options.failedItems)) {
    for (let isLeft = true; isLeft; ) {
      options.signal.throwIfAborted();
      const { accepted, failed, remaining } = await oneRound(kind, part, options);
      total.accepted += accepted;
      total.failed.push(...failed);
      options.onProgress({ ...total, failed: [...total.failed] });
      isLeft = remaining > 0 && accepted > 0;
    }
  }
}

async function oneRound(kind: BulkKind, part: Part, { reason, failedItems, signal }: BulkOptions) {
  const again = failedItems ? ({ failedItems: 'again' } as const) : {};
  const end = reason === '' ? {} : { reason };
  const send = {
    retry: () => client.bulkRetryExecutions({ body: { ...part, ...again }, signal }),
    acknowledge: () =>
      client.bulkAcknowledgeExecutions({ body: { ...part, ...(reason === '' ? {} : { note: reason }) }, signal }),
    cancel: () => client.bulkCancelExecutions({ body: { ...part, ...end }, signal }),
    terminate: () => client.bulkCancelExecutions({ body: { ...part, ...end, terminate: true }, signal }),
  };
  const answer = await send[kind]();
  if ('count' in answer) throw new Error('A call answered as if it were a dry run');
  return answer;
}
