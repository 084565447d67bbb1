import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { type Executor, succeeded } from '../executor.ts';
import { callProvider, type OpenAiSettings, unclearAnswer } from './callProvider.ts';

/** The limit of OpenAI's API for one call. */
const MAX_TEXTS = 2_048;

export function buildEmbedding(settings: OpenAiSettings): Executor {
  const text = z.string().min(1);
  return withInputs(
    {
      model: z.string().min(1),
      input: z.union([text, z.array(text).min(1).max(MAX_TEXTS)], 'expected a text, or a list of texts'),
      dimensions: z.int().min(1).max(16_000).optional(),
      timeoutMs: z.number().min(1).max(86_400_000).default(120_000),
    },
    ({ model, input, dimensions, timeoutMs }, call) => {
      const texts = [input].flat();
      return callProvider(
        settings,
        call,
        timeoutMs,
        ({ client }, options) =>
          client.embeddings.create(
            { model, input: texts, encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) },
            options,
          ),
        (answer) => {
          const vectors = (answer.data ?? []).toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
          const [first = []] = vectors;
          const isWhole = vectors.length === texts.length && vectors.every((each) => each.length === first.length);
          if (!isWhole || first.length === 0) return unclearAnswer('a vector for each text');
          const usage = { inputTokens: answer.usage?.prompt_tokens ?? 0 };
          return succeeded({ vectors, dimensions: first.length, model: answer.model, usage });
        },
      );
    },
  );
}
