import { isProblem } from 'perdure-client';
import { isTerminal } from '../../domain/execution/status.ts';
import { client } from '../session.ts';
import type { ExecutionRow } from './executions.ts';

export type BulkTarget = { filterBy: string } | { rows: ExecutionRow[] };

interface BulkProgress {
  accepted: number;
  failed: { executionId: string; code: string; message: string }[];
}

interface BulkOptions {
  reason: string;
  /** Of a retry: items that failed in loops that completed run again. */
  failedItems: boolean;
  signal: AbortSignal;
  onProgress: (progress: BulkProgress) => void;
}

export type BulkKind = 'retry' | 'cancel' | 'terminate';

/** Whether it can be done with a row, by what the page knows; the server decides. */
function isEligible(kind: BulkKind, { status = 'PENDING' }: ExecutionRow): boolean {
  return kind === 'retry' ? isTerminal(status) && status !== 'COMPLETED' : !isTerminal(status);
}

const matching = (filterBy: string) => (filterBy === '' ? { all: true } : { filterBy });

export interface Matching {
  count: number;
  /** If items that failed in loops run again, too; absent where there are none. */
  again?: { count: number; withFailedItems: number };
}

/** How many would be retried, or ended: those are the same for a cancellation and a termination. */
export async function countMatching(kind: BulkKind, target: BulkTarget): Promise<Matching> {
  if ('rows' in target) return { count: target.rows.filter((row) => isEligible(kind, row)).length };
  const body = { ...matching(target.filterBy), dryRun: true };
  if (kind !== 'retry') return { count: counted(await client.bulkCancelExecutions({ body })).count };
  const [plain, again] = await Promise.all([
    client.bulkRetryExecutions({ body }),
    client.bulkRetryExecutions({ body: { ...body, failedItems: 'again' } }),
  ]);
  const { count, withFailedItems = 0 } = counted(again);
  return { count: counted(plain).count, ...(withFailedItems > 0 ? { again: { count, withFailedItems } } : {}) };
}

/** The answer of a dry run. */
function counted(answer: Awaited<ReturnType<typeof client.bulkRetryExecutions>>) {
  if ('count' in answer) return answer;
  throw new Error('A dry run answered as if it had acted');
}

/** Round after round until none is left, it is stopped, or a round brings nothing. */
export async function runBulk(kind: BulkKind, target: BulkTarget, options: BulkOptions): Promise<void> {
  if ('rows' in target) return await oneByOne(kind, target.rows, options);
  const { reason, failedItems, signal, onProgress } = options;
  const total: BulkProgress = { accepted: 0, failed: [] };
  for (;;) {
    signal.throwIfAborted();
    const answer =
      kind === 'retry'
        ? await client.bulkRetryExecutions({
            body: { ...matching(target.filterBy), ...(failedItems ? { failedItems: 'again' } : {}) },
            signal,
          })
        : await client.bulkCancelExecutions({
            body: {
              ...matching(target.filterBy),
              ...(reason === '' ? {} : { reason }),
              ...(kind === 'terminate' ? { terminate: true } : {}),
            },
            signal,
          });
    if ('count' in answer) return;
    total.accepted += answer.accepted;
    total.failed.push(...answer.failed);
    onProgress({ ...total, failed: [...total.failed] });
    if (answer.remaining === 0 || answer.accepted === 0) return;
  }
}

async function oneByOne(
  kind: BulkKind,
  rows: readonly ExecutionRow[],
  { reason, signal, onProgress }: BulkOptions,
): Promise<void> {
  const total: BulkProgress = { accepted: 0, failed: [] };
  for (const row of rows) {
    signal.throwIfAborted();
    if (!isEligible(kind, row)) continue;
    const executionId = row.id;
    const ended = { path: { executionId }, body: reason === '' ? {} : { reason }, signal };
    try {
      if (kind === 'retry') await client.retryExecution({ path: { executionId }, body: {}, signal });
      else if (kind === 'cancel') await client.cancelExecution(ended);
      else await client.terminateExecution(ended);
      total.accepted += 1;
    } catch (error) {
      if (!isProblem(error) || error.status === 0) throw error;
      total.failed.push({ executionId, code: error.code, message: error.detail });
    }
    onProgress({ accepted: total.accepted, failed: [...total.failed] });
  }
}
