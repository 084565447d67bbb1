import { OpenAI } from 'openai';
import { fetch as undiciFetch } from 'undici';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { buildGuardedAgent } from '../apps/http/guardedAgent.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

export interface ProviderAccess {
  apiKey: string;
  /** OPENAI_URL where absent. */
  baseUrl?: string | undefined;
}

export interface ProviderSettings extends GuardSettings {
  /** Of one answer, unpacked; a streamed one as a whole. */
  maxAnswerBytes: number;
}

export type OpenAiClient = (access: ProviderAccess) => OpenAI;

/** The provider sent more than PROVIDER_MAX_ANSWER_BYTES. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the model provider is larger than ${maxBytes} bytes`);
  }
}

/**
 * Makes clients of providers. All share one pool of connections, each of which the address guard has let through. A
 * client makes one call where it is told to make one: whoever asks decides about retries. It follows no redirect, which
 * would carry the key to another place, and reads nothing from the environment.
 */
export function buildOpenAiClient({ maxAnswerBytes, ...guard }: ProviderSettings): OpenAiClient {
  const dispatcher = buildGuardedAgent(guard);
  const guardedFetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // The types of undici's own fetch and of Node's differ in name alone.
    const options = { ...init, dispatcher, redirect: 'manual' } as Parameters<typeof undiciFetch>[1];
    const response = await undiciFetch(url as Parameters<typeof undiciFetch>[0], options);
    return bounded(response as unknown as Response, maxAnswerBytes);
  };
  return ({ apiKey, baseUrl = OPENAI_URL }) =>
    new OpenAI({
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
}

function bounded(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new AnswerTooLarge(maxBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers: [...headers] });
}
