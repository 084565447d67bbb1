import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ProviderChunk } from '../../domain/agent/providerChunk.ts';
import type { ChosenProvider } from '../providers/chosenProvider.ts';
import { withLimit } from '../providers/limitName.ts';
import { type ProviderFailure, providerFailure, providerTimeout } from '../providers/providerFailure.ts';

/** How long to wait for the usage and the end of the stream after an answer is complete. */
const AFTER_FINISH_MS = 2_000;

export interface AnswerRequest {
  body: ChatCompletionCreateParamsStreaming;
  limit: number | undefined;
  /** For the whole answer, however steadily it arrives. */
  timeoutMs: number;
}

/** `finished`: the answer is complete, whatever happens to the connection. `tooMuch`: stop reading. */
export type StreamState = 'continues' | 'finished' | 'tooMuch';

export interface AnswerListener {
  /** Aborted if the answer is no longer wanted. */
  stop: AbortSignal;
  take(chunk: ProviderChunk): StreamState;
}

/** Passes the provider's chunks on. Returns undefined if the answer is complete or was stopped. */
export async function streamAnswer(
  provider: ChosenProvider,
  { body, limit, timeoutMs }: AnswerRequest,
  { stop, take }: AnswerListener,
): Promise<ProviderFailure | undefined> {
  const ending = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stop, ending.signal, timeout]);
  let state: StreamState = 'continues';
  let late: NodeJS.Timeout | undefined;
  try {
    const stream = await withLimit(provider, { model: body.model, limit }, (named) =>
      provider.client.chat.completions.create({ ...body, ...named }, { signal }),
    );
    for await (const chunk of stream) {
      state = take(chunk as object as ProviderChunk);
      if (state === 'tooMuch') break;
      if (state === 'finished') late ??= setTimeout(() => ending.abort(), AFTER_FINISH_MS);
    }
  } catch (error) {
    if (stop.aborted || state === 'finished') return undefined;
    return timeout.aborted ? providerTimeout(timeoutMs) : await providerFailure(error, provider.secrets);
  } finally {
    clearTimeout(late);
  }
  if (stop.aborted || state === 'finished') return undefined;
  // The package ends an aborted stream like a complete one.
  if (timeout.aborted) return providerTimeout(timeoutMs);
  return state === 'tooMuch'
    ? {
        code: 'PROVIDER_ANSWER_TOO_LARGE',
        message: 'The answer has far more calls than may be made.',
        retryable: false,
      }
    : { code: 'PROVIDER_BROKE_OFF', message: 'The provider ended its answer in the middle.', retryable: true };
}
