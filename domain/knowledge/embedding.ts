import { ownMember } from '../ownMember.ts';
import type { ProblemDetail } from '../problem.ts';

export type EmbeddingProvider = 'openai' | 'local';

/** The embedding settings of a knowledge base. They cannot change while it contains documents. */
export interface Embedding {
  embeddingProvider: EmbeddingProvider;
  embeddingModel: string;
  dimensions: number;
}

export const LOCAL_EMBEDDING: Embedding = {
  embeddingProvider: 'local',
  embeddingModel: 'universal-sentence-encoder-lite',
  dimensions: 512,
};

/** OpenAI's models. `shortens` is true if the provider accepts fewer `dimensions`. */
const OPENAI_MODELS: Readonly<Record<string, { dimensions: number; shortens: boolean }>> = {
  'text-embedding-3-small': { dimensions: 1_536, shortens: true },
  'text-embedding-3-large': { dimensions: 3_072, shortens: true },
  'text-embedding-ada-002': { dimensions: 1_536, shortens: false },
};

export interface EmbeddingDefaults {
  /** Absent: openai if a key is configured, else local. */
  provider?: EmbeddingProvider | undefined;
  model: string;
  /** The dimensions of `model`; absent: the model's default. */
  dimensions?: number | undefined;
  hasKey: boolean;
}

export interface EmbeddingRequest {
  embeddingProvider?: EmbeddingProvider | undefined;
  embeddingModel?: string | undefined;
  dimensions?: number | undefined;
}

export function chooseEmbedding(asked: EmbeddingRequest, defaults: EmbeddingDefaults): Embedding | ProblemDetail {
  const provider = asked.embeddingProvider ?? defaults.provider ?? (defaults.hasKey ? 'openai' : 'local');
  return provider === 'local' ? chooseLocal(asked) : chooseOpenAi(asked, defaults);
}

function chooseLocal({ embeddingModel, dimensions }: EmbeddingRequest): Embedding | ProblemDetail {
  const own = LOCAL_EMBEDDING;
  if (embeddingModel !== undefined && embeddingModel !== own.embeddingModel) {
    return { path: 'embeddingModel', message: `expected ${own.embeddingModel}, the only model of the provider local` };
  }
  if (dimensions !== undefined && dimensions !== own.dimensions) {
    return { path: 'dimensions', message: `expected ${own.dimensions}, the dimensions of ${own.embeddingModel}` };
  }
  return own;
}

function chooseOpenAi(asked: EmbeddingRequest, defaults: EmbeddingDefaults): Embedding | ProblemDetail {
  if (!defaults.hasKey) {
    return {
      path: 'embeddingProvider',
      message: 'this deployment has no key of openai (OPENAI_API_KEY): expected local',
    };
  }
  const embeddingModel = asked.embeddingModel ?? defaults.model;
  const known = ownMember(OPENAI_MODELS, embeddingModel);
  const ofDefault = embeddingModel === defaults.model ? defaults.dimensions : undefined;
  const dimensions = asked.dimensions ?? ofDefault ?? known?.dimensions;
  if (dimensions === undefined) {
    return { path: 'dimensions', message: `required: the dimensions of ${embeddingModel} are not known here` };
  }
  if (known && (known.shortens ? dimensions > known.dimensions : dimensions !== known.dimensions)) {
    return {
      path: 'dimensions',
      message: `expected ${known.shortens ? 'at most ' : ''}${known.dimensions}, the dimensions of ${embeddingModel}`,
    };
  }
  return { embeddingProvider: 'openai', embeddingModel, dimensions };
}

/** Undefined for the model's default. */
export function askedDimensions({ embeddingModel, dimensions }: Embedding): number | undefined {
  const known = ownMember(OPENAI_MODELS, embeddingModel);
  return known && known.dimensions !== dimensions ? dimensions : undefined;
}
