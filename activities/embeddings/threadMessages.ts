import type { Chunk, ChunkRules } from '../../domain/knowledge/chunk.ts';
import type { EmbeddingProvider } from '../../domain/knowledge/embedding.ts';

export type ThreadTask =
  | { kind: 'split'; text: string; rules: ChunkRules; provider: EmbeddingProvider }
  | { kind: 'embed'; texts: string[] };

export type ThreadAnswer =
  | { kind: 'split'; chunks: Chunk[] }
  | { kind: 'embed'; vectors: number[][] }
  /** A defect, because requests are checked before. */
  | { kind: 'failed'; message: string };
