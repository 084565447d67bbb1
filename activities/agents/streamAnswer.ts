import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ProviderChunk } from '../../domain/agent/providerChunk.ts';
import type { ChosenProvider } from '../providers/chosenProvider.ts';
import { withLimit } from '../providers/limitName.ts';
import { type ProviderFailure, providerFailure, providerTimeout } from '../providers/providerFailure.ts';

/** How long the usage and the end of the stream are waited for behind the end of an answer. */
const AFTER_FINISH_MS = 2_000;

export interface AnswerRequest {
  body: ChatCompletionCreateParamsStreaming;
  /** Of output tokens. */
  limit: number | undefined;
  /** Of all of it, however steadily it comes. */
  timeoutMs: number;
}

/** `finished`: the answer is complete, whatever comes of the connection. `tooMuch`: nothing more is to be read. */
export type Heard = 'goesOn' | 'finished' | 'tooMuch';

export interface AnswerListener {
  /** Aborted where the answer is not wanted any more. */
  stop: AbortSignal;
  take(chunk: ProviderChunk): Heard;
}

/** Asks the provider, and gives its chunks on. Undefined where the answer is complete, or was stopped. */
export async function streamAnswer(
  provider: ChosenProvider,
  { body, limit, timeoutMs }: AnswerRequest,
  { stop, take }: AnswerListener,
): Promise<ProviderFailure | undefined> {
  const ending = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([stop, ending.signal, timeout]);
  let heard: Heard = 'goesOn';
  let late: NodeJS.Timeout | undefined;
  try {
    const stream = await withLimit(provider, { model: body.model, limit }, (named) =>
      provider.client.chat.completions.create({ ...body, ...named }, { signal }),
    );
    for await (const chunk of stream) {
      heard = take(chunk as object as ProviderChunk);
      if (heard === 'tooMuch') break;
      if (heard === 'finished') late ??= setTimeout(() => ending.abort(), AFTER_FINISH_MS);
    }
  } catch (error) {
    if (stop.aborted || heard === 'finished') return undefined;
    return timeout.aborted ? providerTimeout(timeoutMs) : await providerFailure(error, provider.secrets);
  } finally {
    clearTimeout(late);
  }
  if (stop.aborted || heard === 'finished') return undefined;
  // The package ends an aborted stream as if it were whole.
  if (timeout.aborted) return providerTimeout(timeoutMs);
  return heard === 'tooMuch'
    ? {
        code: 'PROVIDER_ANSWER_TOO_LARGE',
        message: 'The answer has far more calls than may be made.',
        retryable: false,
      }
    : { code: 'PROVIDER_BROKE_OFF', message: 'The provider ended its answer in the middle.', retryable: true };
}
