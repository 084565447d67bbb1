import { Context } from '@temporalio/activity';
import pgvector from 'pgvector';
import type { EmbedOutcome, IngestionActivities } from '../../domain/knowledge/ingestion.ts';
import { NotEmbedded } from '../../engine/knowledge/embedders.ts';
import { failDocument, readUnembedded, storeVectors } from '../../prisma/store/knowledge/ingestion.ts';
import { readEmbedding } from '../../prisma/store/knowledge/readEmbedding.ts';
import { beating } from '../beating.ts';
import type { ActivityServices } from '../services.ts';

/** Half of the throttle (worker/tuning.ts). */
export const HEARTBEAT_MS = 200;
/** What goes to the provider in one call. */
const MOST_TOKENS = 100_000;

/** Embeds parts that have no vector yet, some at a time, and stores each time what there is. */
export function embedParts(
  services: ActivityServices,
  { isLast, ...batch }: Parameters<IngestionActivities['embedParts']>[0],
): Promise<EmbedOutcome> {
  const { cancellationSignal: signal } = Context.current();
  return beating(HEARTBEAT_MS, async (): Promise<EmbedOutcome> => {
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
