import { z } from 'zod';
import { count, ms } from './values.ts';

export const KNOWLEDGE_SETTINGS = {
  EMBEDDING_PROVIDER: z
    .enum(['openai', 'local'])
    .optional()
    .describe(
      'Default embedding provider of knowledge bases. Absent: openai if OPENAI_API_KEY is set, otherwise local, an encoder that ships with the product.',
    ),
  EMBEDDING_MODEL: z
    .string()
    .default('text-embedding-3-small')
    .describe('Default embedding model of knowledge bases with the provider openai.'),
  EMBEDDING_DIMENSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(4_000)
    .optional()
    .describe('Dimensions of EMBEDDING_MODEL. Absent: the dimensions of the model, if they are known.'),
  EMBEDDING_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Threads of a process for the local encoder. Each uses 300 MB from its first use on.'),
  EMBEDDING_MAX_WAITING: count
    .default(1_000)
    .describe(
      'Maximum tasks (a search, or four parts of a document) that wait for the local encoder of a process. Further searches get 502; ingestions try again.',
    ),
  EMBEDDING_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one call for embeddings.'),
};
