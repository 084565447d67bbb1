import type { ChunkRules } from '../../../domain/knowledge/chunk.ts';
import { Problem } from '../../../domain/problem.ts';

/** Throws VALIDATION_FAILED where the overlap is more than half. */
export function requireHalf({ chunkSize, chunkOverlap }: ChunkRules): void {
  if (chunkOverlap * 2 <= chunkSize) return;
  const message = `expected at most half of chunkSize, which is ${chunkSize}`;
  throw new Problem('VALIDATION_FAILED', `chunkOverlap: ${message}`, { errors: [{ path: 'chunkOverlap', message }] });
}
