import { createHash } from 'node:crypto';
import type { ChatRequest } from './modelRequest.ts';

/** Returns the response of `/v1/embeddings`: similar words give near vectors, and the same text the same vector. */
export function embeddingsOf(request: ChatRequest): object {
  const texts = Array.isArray(request.input) ? request.input : [request.input ?? ''];
  const dimensions = (request.dimensions as number | undefined) ?? 1536;
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    return { object: 'embedding', index, embedding: request.encoding_format === 'base64' ? base64(vector) : vector };
  });
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return { object: 'list', model: request.model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

/** Returns a bag of words as a vector of length 1; a hash determines each word's place. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const place = createHash('sha256').update(word).digest().readUInt32BE(0) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const base64 = (vector: number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64');
