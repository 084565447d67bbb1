import type { OpenAI } from 'openai';
import { buildGuardedFetch, type FetchSettings } from './guardedFetch.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

export interface ProviderAccess {
  apiKey: string;
  /** OPENAI_URL where absent. */
  baseUrl?: string | undefined;
}

export type OpenAiClient = (access: ProviderAccess) => Promise<OpenAI>;

/** The provider sent more than PROVIDER_MAX_ANSWER_BYTES. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the model provider is larger than ${maxBytes} bytes`);
  }
}

/**
 * Makes clients of providers. All share one pool of connections to addresses that the guard allows. A client makes
 * exactly one call for each request: the caller decides about retries. It follows no redirect, which would carry the
 * key to another place, and reads nothing from the environment.
 */
export function buildOpenAiClient(settings: FetchSettings): OpenAiClient {
  const guardedFetch = buildGuardedFetch(settings, (maxBytes) => new AnswerTooLarge(maxBytes));
  return async ({ apiKey, baseUrl = OPENAI_URL }) => {
    const { OpenAI } = await import('openai');
    return new OpenAI({
      apiKey,
      baseURL: baseUrl,
      fetch: guardedFetch,
      maxRetries: 0,
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: 'off',
    });
  };
}
