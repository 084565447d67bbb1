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
/** RETRY: nothing is lost, another try after so many milliseconds may end otherwise. */
export type EmbedOutcome = { status: 'EMBEDDED' } | { status: 'RETRY'; code: string; afterMs?: number } | IngestionEnd;
export type FinishOutcome = { status: 'READY' } | IngestionEnd;

export interface IngestionActivities {
  splitDocument(ref: IngestionRef): Promise<SplitOutcome>;
  /** `isLast`: no other try comes, so RETRY is FAILED. */
  embedParts(batch: IngestionBatch & { isLast: boolean }): Promise<EmbedOutcome>;
  finishDocument(ref: IngestionRef): Promise<FinishOutcome>;
}

/** Parts of one activity. */
export const BATCH_PARTS = 64;
/** Batches at once: while one is written, the next is embedded. */
export const BATCHES_AT_ONCE = 2;
/** Tries of one batch: half an hour, or as long as the provider's Retry-After says. */
export const MOST_INGESTION_TRIES = 30;

/** Milliseconds before try `attempt` + 1. */
export function pauseBefore(attempt: number, afterMs: number | undefined): number {
  return Math.max(afterMs ?? 0, Math.min(1_000 * 2 ** (attempt - 1), 60_000));
}
