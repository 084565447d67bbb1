/** A part of a text, as it is embedded and shown. */
export interface Chunk {
  text: string;
  tokens: number;
}

/** Tokens. */
export interface ChunkRules {
  chunkSize: number;
  chunkOverlap: number;
}

export const DEFAULT_CHUNKS: ChunkRules = { chunkSize: 800, chunkOverlap: 100 };
/** Of chunkSize. Smaller ones hold no thought; of larger ones a model reads no more. */
export const CHUNK_SIZES = { least: 50, most: 8_000 };
