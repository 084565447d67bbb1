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
  signal: AbortSignal;
  onProgress: (progress: BulkProgress) => void;
}

type Kind = 'retry' | 'cancel';

/** Whether it can be done with a row, by what the page knows; the server decides. */
function isEligible(kind: Kind, { status = 'PENDING' }: ExecutionRow): boolean {
  return kind === 'cancel' ? !isTerminal(status) : isTerminal(status) && status !== 'COMPLETED';
}

const matching = (filterBy: string) => (filterBy === '' ? { all: true } : { filterBy });

/** How many would be retried or cancelled. */
export async function countMatching(kind: Kind, target: BulkTarget): Promise<number> {
  if ('rows' in target) return target.rows.filter((row) => isEligible(kind, row)).length;
  const body = { ...matching(target.filterBy), dryRun: true };
  const answer =
    kind === 'retry' ? await client.bulkRetryExecutions({ body }) : await client.bulkCancelExecutions({ body });
  return 'count' in answer ? answer.count : answer.matched;
}

/** Round after round until none is left, it is stopped, or a round brings nothing. */
export async function runBulk(kind: Kind, target: BulkTarget, options: BulkOptions): Promise<void> {
  if ('rows' in target) return await oneByOne(kind, target.rows, options);
  const { reason, signal, onProgress } = options;
  const total: BulkProgress = { accepted: 0, failed: [] };
  for (;;) {
    signal.throwIfAborted();
    const answer =
      kind === 'retry'
        ? await client.bulkRetryExecutions({ body: matching(target.filterBy), signal })
        : await client.bulkCancelExecutions({
            body: { ...matching(target.filterBy), ...(reason === '' ? {} : { reason }) },
            signal,
          });
    if ('count' in answer) return;
    total.accepted += answer.accepted;
    total.failed.push(...answer.failed);
    onProgress({ ...total, failed: [...total.failed] });
    if (answer.remaining === 0 || answer.accepted === 0) return;
  }
}

async function oneByOne(kind: Kind, rows: ExecutionRow[], { reason, signal, onProgress }: BulkOptions): Promise<void> {
  const total: BulkProgress = { accepted: 0, failed: [] };
  for (const { id: executionId } of rows.filter((row) => isEligible(kind, row))) {
    signal.throwIfAborted();
    try {
      if (kind === 'retry') await client.retryExecution({ path: { executionId }, body: {}, signal });
      else await client.cancelExecution({ path: { executionId }, body: reason === '' ? {} : { reason }, signal });
      total.accepted += 1;
    } catch (error) {
      if (!isProblem(error) || error.status === 0) throw error;
      total.failed.push({ executionId, code: error.code, message: error.detail });
    }
    onProgress({ accepted: total.accepted, failed: [...total.failed] });
  }
}
