import { CALL_PARTS } from '../domain/knowledge/embeddingCalls.ts';
import { BATCHES_AT_ONCE } from '../domain/knowledge/ingestion.ts';
import type { SampledRow } from './goal.ts';

/** Knowledge bases, embedded by bench/embeddingServer.ts. Names of `--row`. */
export const KNOWLEDGE_ROW_NAMES = ['search', 'searchRecall', 'ingest'] as const;
export type KnowledgeRowName = (typeof KNOWLEDGE_ROW_NAMES)[number];

export const VECTORS = 100_000;
export const DIMENSIONS = 384;
/** Vectors have topics, like those of texts: without them no index finds the nearest in 384 dimensions. */
export const TOPICS = 1_000;
/** A vector is its topic plus this much noise, both of length 1. */
export const NOISE = 0.6;
export const FOUND = 10;
export const SEARCHES = 300;
export const KNOWN_QUESTIONS = 50;
/** Slightly less than the maximum body (MAX_BULK_BODY_BYTES). */
export const INGESTED_BYTES = 10_000_000;
export const RULES = { chunkSize: 800, chunkOverlap: 100 };
export const BATCH = { parts: CALL_PARTS, atOnce: BATCHES_AT_ONCE };
/** The product's setting for the index: lower values find less. */
export const EF_SEARCH = 100;

export const KNOWLEDGE_ROWS: Record<KnowledgeRowName, SampledRow> = {
  search: {
    title: `search for ${FOUND} of ${VECTORS} × ${DIMENSIONS}`,
    unit: 'a second',
    beside: 'Express and pg: the question embedded in the same way, one SELECT by a HNSW index of pgvector',
    goals: [{ of: 'ratio', atLeast: 0.7 }],
    samples: 1,
    isLong: true,
  },
  searchRecall: {
    title: `recall@${FOUND} of ${VECTORS} × ${DIMENSIONS}`,
    unit: 'of 1',
    beside: 'the same SELECT',
    goals: [{ of: 'ours', atLeast: 0.95 }],
    samples: 1,
    isLong: true,
  },
  ingest: {
    title: `text of ${INGESTED_BYTES / 1_000_000} MB stored, a second for each call of the provider`,
    unit: 'ms',
    beside: 'its parts embedded in the same batches, two at once, and nothing stored',
    goals: [{ of: 'ratio', atMost: 1.3 }],
    samples: 1,
    isLong: true,
  },
};
