import { Context } from '@temporalio/activity';
import pgvector from 'pgvector';
import { derivedId } from '../../domain/derivedId.ts';
import { embeddingCalls } from '../../domain/knowledge/embeddingCalls.ts';
import type {
  EmbedOutcome,
  FinishOutcome,
  IngestionActivities,
  IngestionRef,
  SplitOutcome,
} from '../../domain/knowledge/ingestion.ts';
import { NotEmbedded } from '../../engine/knowledge/embedders.ts';
import type { Database } from '../../prisma/client.ts';
import {
  type ChunkToEmbed,
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

/** Stores the hidden parts of the document. The same text gives the same parts with the same ids. */
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

export const HEARTBEAT_MS = 200;

/** Embeds the parts without a vector, call by call. While the provider computes, earlier vectors are stored. */
export function embedParts(
  services: ActivityServices,
  { isLast, ...batch }: Parameters<IngestionActivities['embedParts']>[0],
): Promise<EmbedOutcome> {
  const { cancellationSignal: signal } = Context.current();
  return withHeartbeat(HEARTBEAT_MS, async (): Promise<EmbedOutcome> => {
    const { database, embedders } = services;
    const embedding = await readEmbedding(database, batch.workspaceId, batch.knowledgeId);
    if (!embedding) return { status: 'ABSENT' };
    const embed = async (parts: readonly ChunkToEmbed[]): Promise<Embedded[]> => {
      const texts = parts.map(({ text }) => text);
      const vectors = await embedders.embed(embedding, texts, { signal });
      return vectors.map((vector, index) => ({ id: (parts[index] as ChunkToEmbed).id, vector }));
    };
    let embedded: Embedded[] = [];
    let hasProgressed = false;
    try {
      for (const call of embeddingCalls(await readUnembedded(database, batch))) {
        const [next, isThere] = await bothEnded(embed(call), store(database, batch, embedded));
        if (!isThere) return { status: 'ABSENT' };
        embedded = next;
        hasProgressed = true;
      }
      return (await store(database, batch, embedded)) ? { status: 'EMBEDDED' } : { status: 'ABSENT' };
    } catch (error) {
      if (!(error instanceof NotEmbedded)) throw error;
      const { code, retryable, retryAfterMs } = error.failure;
      const mayRetry = retryable && (hasProgressed || !isLast);
      if (mayRetry) return { status: 'RETRY', code, hasProgressed, ...after(retryAfterMs) };
      await failDocument(database, batch, error.failure);
      return { status: 'FAILED', code };
    }
  });
}

function after(afterMs: number | undefined) {
  return afterMs === undefined ? {} : { afterMs };
}

interface Embedded {
  id: string;
  vector: number[];
}

/** The embedded database is blocked while it stores them, about 3 ms each. */
const VECTORS_OF_STATEMENT = 16;

/** False: the document is no longer being ingested. */
async function store(database: Database, ref: IngestionRef, embedded: readonly Embedded[]): Promise<boolean> {
  for (let from = 0; from < embedded.length; from += VECTORS_OF_STATEMENT) {
    const some = embedded.slice(from, from + VECTORS_OF_STATEMENT);
    const ids = some.map(({ id }) => id);
    const vectors = some.map(({ vector }) => pgvector.toSql(vector) as string);
    if (!(await storeVectors(database, ref, ids, vectors))) return false;
  }
  return true;
}

/** Like Promise.all, but waits until both have ended, so that nothing of a failed try is still running. */
async function bothEnded<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

export async function finishDocument({ database }: ActivityServices, ref: IngestionRef): Promise<FinishOutcome> {
  if (await finish(database, ref)) return { status: 'READY' };
  const state = await readDocumentState(database, ref);
  if (state?.status === 'READY') return { status: 'READY' };
  if (state === undefined) return { status: 'ABSENT' };
  if (state.status === 'FAILED') return { status: 'FAILED', code: state.code };
  throw new Error(`The document ${ref.documentId} has parts without a vector`);
}
