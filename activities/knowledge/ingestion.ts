import { Context } from '@temporalio/activity';
import pgvector from 'pgvector';
import { derivedId } from '../../domain/derivedId.ts';
import type {
  EmbedOutcome,
  FinishOutcome,
  IngestionActivities,
  IngestionRef,
  SplitOutcome,
} from '../../domain/knowledge/ingestion.ts';
import { NotEmbedded } from '../../engine/knowledge/embedders.ts';
import {
  failDocument,
  showDocument as finish,
  readDocumentState,
  readDocumentToSplit,
  readUnembedded,
  storeChunks,
  storeVectors,
} from '../../prisma/store/knowledge/ingestion.ts';
import { readEmbedding } from '../../prisma/store/knowledge/knowledgeBases.ts';
import type { ActivityServices } from '../services.ts';
import { withHeartbeat } from '../withHeartbeat.ts';

/** Stores the parts of the document, which nobody sees yet. The same text gives the same parts under the same ids. */
export function splitDocument(services: ActivityServices, ref: IngestionRef): Promise<SplitOutcome> {
  const { cancellationSignal } = Context.current();
  return withHeartbeat(HEARTBEAT_MS, async (): Promise<SplitOutcome> => {
    const { database, embedders } = services;
    const document = await readDocumentToSplit(database, ref);
    if (!document) return { status: 'ABSENT' };
    const { embedding, text, rules } = document;
    try {
      const chunks = await embedders.split(embedding, text, rules, cancellationSignal);
      const parts = chunks.map((chunk, index) => {
        const partNumber = index + 1;
        return { ...chunk, partNumber, id: derivedId(ref.documentId, `part ${partNumber}`) };
      });
      const isStored = await storeChunks(database, ref, parts);
      return isStored ? { status: 'SPLIT', parts: parts.length } : { status: 'ABSENT' };
    } catch (error) {
      if (!(error instanceof NotEmbedded)) throw error;
      await failDocument(database, ref, error.failure);
      return { status: 'FAILED', code: error.failure.code };
    }
  });
}

/** Half of the throttle (worker/tuning.ts). */
export const HEARTBEAT_MS = 200;
/** Most tokens of one call to the provider. */
const MOST_TOKENS = 100_000;

/** Embeds parts that have no vector yet, some at a time, and stores each time what there is. */
export function embedParts(
  services: ActivityServices,
  { isLast, ...batch }: Parameters<IngestionActivities['embedParts']>[0],
): Promise<EmbedOutcome> {
  const { cancellationSignal: signal } = Context.current();
  return withHeartbeat(HEARTBEAT_MS, async (): Promise<EmbedOutcome> => {
    const { database, embedders } = services;
    const embedding = await readEmbedding(database, batch.workspaceId, batch.knowledgeId);
    if (!embedding) return { status: 'ABSENT' };
    const chunks = await readUnembedded(database, batch);
    try {
      for (const some of byTokens(chunks)) {
        const texts = some.map(({ text }) => text);
        const vectors = await embedders.embed(embedding, texts, { signal });
        const ids = some.map(({ id }) => id);
        const written = vectors.map((vector) => pgvector.toSql(vector) as string);
        if (!(await storeVectors(database, batch, ids, written))) return { status: 'ABSENT' };
      }
      return { status: 'EMBEDDED' };
    } catch (error) {
      if (!(error instanceof NotEmbedded)) throw error;
      const { code, retryable, retryAfterMs } = error.failure;
      if (retryable && !isLast) {
        return { status: 'RETRY', code, ...(retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }) };
      }
      await failDocument(database, batch, error.failure);
      return { status: 'FAILED', code };
    }
  });
}

function* byTokens<T extends { tokens: number }>(chunks: readonly T[]): Generator<T[]> {
  let some: T[] = [];
  let tokens = 0;
  for (const chunk of chunks) {
    if (some.length > 0 && tokens + chunk.tokens > MOST_TOKENS) {
      yield some;
      some = [];
      tokens = 0;
    }
    some.push(chunk);
    tokens += chunk.tokens;
  }
  if (some.length > 0) yield some;
}

/** Shows the document, all at once. */
export async function finishDocument({ database }: ActivityServices, ref: IngestionRef): Promise<FinishOutcome> {
  if (await finish(database, ref)) return { status: 'READY' };
  const state = await readDocumentState(database, ref);
  // A try before this one may have shown it.
  if (state?.status === 'READY') return { status: 'READY' };
  if (state === undefined) return { status: 'ABSENT' };
  if (state.status === 'FAILED') return { status: 'FAILED', code: state.code };
  throw new Error(`The document ${ref.documentId} has parts without a vector`);
}
