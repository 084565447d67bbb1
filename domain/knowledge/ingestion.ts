import { CALL_PARTS } from './embeddingCalls.ts';

/** A document that is being ingested. Stands in histories: ids alone. */
export interface IngestionRef {
  workspaceId: string;
  knowledgeId: string;
  documentId: string;
}

/** The parts with the numbers from `from` to before `to`. */
export type IngestionBatch = IngestionRef & { from: number; to: number };

/** Why a document is not there for its ingestion: ABSENT was deleted meanwhile; FAILED says why in its row. */
export type IngestionEnd = { status: 'ABSENT' } | { status: 'FAILED'; code: string };

export type SplitOutcome = { status: 'SPLIT'; parts: number } | IngestionEnd;
/**
 * RETRY: nothing is lost, another try after `afterMs` milliseconds may end otherwise. `hasProgressed`: some parts have
 * their vectors since this try.
 */
export type EmbedOutcome =
  | { status: 'EMBEDDED' }
  | { status: 'RETRY'; code: string; hasProgressed: boolean; afterMs?: number }
  | IngestionEnd;
export type FinishOutcome = { status: 'READY' } | IngestionEnd;

export interface IngestionActivities {
  splitDocument(ref: IngestionRef): Promise<SplitOutcome>;
  /** `isLast`: without progress no other try comes, so RETRY is FAILED. */
  embedParts(batch: IngestionBatch & { isLast: boolean }): Promise<EmbedOutcome>;
  finishDocument(ref: IngestionRef): Promise<FinishOutcome>;
}

/** Batches of a document, side by side, each with one call to the provider at a time. */
export const BATCHES_AT_ONCE = 2;

/** The numbers of a document's parts in BATCHES_AT_ONCE batches of whole calls, as even as they can be. */
export function batchesOf(parts: number): { from: number; to: number }[] {
  const calls = Math.ceil(parts / CALL_PARTS);
  const size = Math.ceil(calls / BATCHES_AT_ONCE) * CALL_PARTS;
  const batches: { from: number; to: number }[] = [];
  for (let from = 1; from <= parts; from += size) batches.push({ from, to: Math.min(from + size, parts + 1) });
  return batches;
}

/** Tries of one batch in a row without progress: half an hour, or as long as the provider's Retry-After says. */
export const MAX_INGESTION_TRIES = 30;

/** After try `attempt` of a batch: the number of the next one, counted from the last progress, and the milliseconds before it. */
export function nextTry(
  attempt: number,
  { hasProgressed, afterMs = 0 }: Pick<EmbedOutcome & { status: 'RETRY' }, 'hasProgressed' | 'afterMs'>,
): { attempt: number; pauseMs: number } {
  const tries = hasProgressed ? 1 : attempt;
  return { attempt: tries + 1, pauseMs: Math.max(afterMs, Math.min(1_000 * 2 ** (tries - 1), 60_000)) };
}
