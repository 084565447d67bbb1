import { chooseEmbedding, type Embedding, type EmbeddingRequest } from '../../../domain/knowledge/embedding.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Services } from '../../services.ts';

/** What a base's texts are embedded by, with what this deployment has for the rest. Throws VALIDATION_FAILED. */
export function embeddingOf({ config }: Pick<Services, 'config'>, asked: EmbeddingRequest): Embedding {
  const chosen = chooseEmbedding(asked, {
    provider: config.EMBEDDING_PROVIDER,
    model: config.EMBEDDING_MODEL,
    dimensions: config.EMBEDDING_DIMENSIONS,
    hasKey: config.OPENAI_API_KEY !== undefined,
  });
  if (!('path' in chosen)) return chosen;
  throw new Problem('VALIDATION_FAILED', `${chosen.path}: ${chosen.message}`, { errors: [chosen] });
}
