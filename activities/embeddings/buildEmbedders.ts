import type { OpenAI } from 'openai';
import type { Config } from '../../config.ts';
import { askedDimensions, type Embedding } from '../../domain/knowledge/embedding.ts';
import { type Embedders, type EmbedOptions, NotEmbedded } from '../../engine/knowledge/embedders.ts';
import type { OpenAiClient } from '../providers/openAiClient.ts';
import { providerFailure } from '../providers/providerFailure.ts';
import { EmbeddingThreads, ThreadsBusy } from './embeddingThreads.ts';
import type { ThreadAnswer, ThreadTask } from './threadMessages.ts';

export interface EmbedderParts {
  config: Pick<
    Config,
    'OPENAI_API_KEY' | 'OPENAI_BASE_URL' | 'EMBEDDING_THREADS' | 'EMBEDDING_MAX_WAITING' | 'EMBEDDING_TIMEOUT_MS'
  >;
  openAiClient: OpenAiClient;
}

/** Threads that split texts. One is enough, and it does not wait for the encoder. */
const SPLITTERS = 1;
/** Texts per task of the local encoder, so that an urgent text waits for at most this many others. */
const TEXTS_OF_TURN = 4;

export function buildEmbedders({ config, openAiClient }: EmbedderParts): Embedders {
  const encoders = new EmbeddingThreads(config.EMBEDDING_THREADS, config.EMBEDDING_MAX_WAITING);
  const splitters = new EmbeddingThreads(SPLITTERS, config.EMBEDDING_MAX_WAITING);

  async function embedLocally(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const vectors: number[][] = [];
    for (let from = 0; from < texts.length; from += TEXTS_OF_TURN) {
      const task: ThreadTask = { kind: 'embed', texts: texts.slice(from, from + TEXTS_OF_TURN) };
      const answer = await asked(encoders, task, options);
      if (answer.kind === 'embed') vectors.push(...answer.vectors);
    }
    return vectors;
  }

  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, EMBEDDING_TIMEOUT_MS: timeoutMs } = config;
  let client: OpenAI | undefined;

  async function embedByProvider(embedding: Embedding, texts: readonly string[], { signal }: EmbedOptions) {
    if (apiKey === undefined) {
      throw failed('PROVIDER_MISSING', 'This deployment has no key of openai any more (OPENAI_API_KEY).', false);
    }
    const dimensions = askedDimensions(embedding);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      client ??= await openAiClient({ apiKey, baseUrl, isPlatforms: true });
      const { data } = await client.embeddings.create(
        {
          model: embedding.embeddingModel,
          input: [...texts],
          encoding_format: 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
        },
        { signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
      );
      return inOrder(data);
    } catch (error) {
      signal?.throwIfAborted();
      throw new NotEmbedded(await providerFailure(error, [apiKey]));
    }
  }

  return {
    async embed(embedding, texts, options = {}) {
      const vectors =
        embedding.embeddingProvider === 'local'
          ? await embedLocally(texts, options)
          : await embedByProvider(embedding, texts, options);
      return checked(embedding, texts, vectors);
    },

    async split({ embeddingProvider: provider }, text, rules, signal) {
      const answer = await asked(splitters, { kind: 'split', text, rules, provider }, { signal });
      return answer.kind === 'split' ? answer.chunks : [];
    },
  };
}

async function asked(threads: EmbeddingThreads, task: ThreadTask, options: EmbedOptions): Promise<ThreadAnswer> {
  try {
    const answer = await threads.run(task, options);
    if (answer.kind === 'failed') throw new Error(answer.message);
    return answer;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ThreadsBusy) throw failed('ENCODER_BUSY', `${error.message}.`, true);
    throw failed('ENCODER_FAILED', `The local encoder failed: ${(error as Error).message}.`, true);
  }
}

function inOrder(data: readonly OpenAI.Embedding[] | undefined): number[][] {
  return (data ?? []).toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
}

function checked({ embeddingModel, dimensions }: Embedding, texts: readonly string[], vectors: number[][]): number[][] {
  if (vectors.length !== texts.length || !vectors.every((each) => Array.isArray(each) && each.every(Number.isFinite))) {
    throw failed('PROVIDER_ANSWER_UNCLEAR', 'The model provider answered without a vector for each text.', true);
  }
  const other = vectors.find((each) => each.length !== dimensions);
  if (other === undefined) return vectors;
  throw failed(
    'EMBEDDING_DIMENSIONS',
    `${embeddingModel} gives ${other.length} dimensions; the base has ${dimensions}.`,
    false,
  );
}

function failed(code: string, message: string, retryable: boolean): NotEmbedded {
  return new NotEmbedded({ code, message, retryable });
}
