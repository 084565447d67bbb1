import type { Failure } from '../../domain/execution/outcome.ts';
import type { Chunk, ChunkRules } from '../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../domain/knowledge/embedding.ts';

/** Turns texts into vectors, for every provider. Implemented in activities/embeddings/buildEmbedders.ts. */
export interface Embedders {
  /** Returns a vector for each text, in order. Throws NotEmbedded, or the signal's reason. */
  embed(embedding: Embedding, texts: readonly string[], options?: EmbedOptions): Promise<number[][]>;
  /** Splits by tokens of the embedding's model, off the event loop. */
  split(embedding: Embedding, text: string, rules: ChunkRules, signal?: AbortSignal): Promise<Chunk[]>;
}

export interface EmbedOptions {
  /** A caller waits: this call goes before ingestions. */
  isUrgent?: boolean;
  signal?: AbortSignal | undefined;
}

/** The texts have no vectors; the failure says why, and whether and when a retry may succeed. */
export class NotEmbedded extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
