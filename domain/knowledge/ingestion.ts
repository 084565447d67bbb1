import { CALL_PARTS } from './embeddingCalls.ts';

/** A document that is being ingested. Only ids, because histories store it. */
export interface IngestionRef {
  workspaceId: string;
  knowledgeId: string;
  documentId: string;
}

/** `to` is excluded. */
export type IngestionBatch = IngestionRef & { from: number; to: number };

/** Why ingestion of a document stops. ABSENT: it was deleted meanwhile. FAILED: its row has the reason. */
export type IngestionEnd = { status: 'ABSENT' } | { status: 'FAILED'; code: string };

export type SplitOutcome = { status: 'SPLIT'; parts: number } | IngestionEnd;
/** RETRY: nothing is lost, and a try after `afterMs` may succeed. `hasProgressed`: this try stored some vectors. */
export type EmbedOutcome =
  | { status: 'EMBEDDED' }
  | { status: 'RETRY'; code: string; hasProgressed: boolean; afterMs?: number }
  | IngestionEnd;
export type FinishOutcome = { status: 'READY' } | IngestionEnd;

export interface IngestionActivities {
  splitDocument(ref: IngestionRef): Promise<SplitOutcome>;
  /** `isLast`: this is the last try unless it makes progress, so FAILED is returned instead of RETRY. */
  embedParts(batch: IngestionBatch & { isLast: boolean }): Promise<EmbedOutcome>;
  finishDocument(ref: IngestionRef): Promise<FinishOutcome>;
}

/** Batches of a document that run in parallel, each with one provider call at a time. */
export const BATCHES_AT_ONCE = 2;

export function batchesOf(parts: number): { from: number; to: number }[] {
  const calls = Math.ceil(parts / CALL_PARTS);
  const size = Math.ceil(calls / BATCHES_AT_ONCE) * CALL_PARTS;
  const batches: { from: number; to: number }[] = [];
  for (let from = 1; from <= parts; from += size) batches.push({ from, to: Math.min(from + size, parts + 1) });
  return batches;
}

/** Consecutive tries of a batch without progress: half an hour, or longer if Retry-After says so. */
export const MAX_INGESTION_TRIES = 30;

/** Returns the number of the next try, which restarts after progress, and the pause before it in milliseconds. */
export function nextTry(
  attempt: number,
  { hasProgressed, afterMs = 0 }: Pick<EmbedOutcome & { status: 'RETRY' }, 'hasProgressed' | 'afterMs'>,
): { attempt: number; pauseMs: number } {
  const tries = hasProgressed ? 1 : attempt;
  return { attempt: tries + 1, pauseMs: Math.max(afterMs, Math.min(1_000 * 2 ** (tries - 1), 60_000)) };
}
