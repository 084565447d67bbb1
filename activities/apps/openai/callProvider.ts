import type { OpenAI } from 'openai';
import type { Json } from '../../../domain/json.ts';
import { providerOf } from '../../providers/chosenProvider.ts';
import type { OpenAiClient } from '../../providers/openAiClient.ts';
import { providerFailure } from '../../providers/providerFailure.ts';
import { type ActionCall, type ActionResult, failed } from '../executor.ts';

export interface OpenAiSettings {
  openAiClient: OpenAiClient;
}

type RequestOptions = NonNullable<Parameters<OpenAI['chat']['completions']['create']>[1]>;

/** One call to the provider of the step's connection, under one timeout; an error is the failure of the step. */
export async function callProvider<T>(
  { openAiClient }: OpenAiSettings,
  call: ActionCall,
  timeoutMs: number,
  ask: (client: OpenAI, options: RequestOptions) => Promise<T>,
  read: (answer: T) => ActionResult | Promise<ActionResult>,
): Promise<ActionResult> {
  call.signal.throwIfAborted();
  const { connection, origin } = call;
  const { client, secrets } = await providerOf(openAiClient, connection?.credentials ?? {}, origin?.workspaceId);
  const timeout = AbortSignal.timeout(timeoutMs);
  let answer: T;
  try {
    const signal = AbortSignal.any([call.signal, timeout]);
    answer = await ask(client, { signal, headers: { 'idempotency-key': call.idempotencyKey } });
  } catch (error) {
    call.signal.throwIfAborted();
    const message = `The model provider did not answer within ${timeoutMs} ms.`;
    if (timeout.aborted) return failed('PROVIDER_TIMEOUT', message, { retryable: true });
    const { code, message: said, retryable, retryAfterMs } = await providerFailure(error, secrets);
    return failed(code, said, { retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  }
  return read(answer);
}

/** A provider that answers 200 with something else than its API says. */
export function unclearAnswer(what: string): ActionResult {
  return failed('PROVIDER_ANSWER_UNCLEAR', `The model provider answered without ${what}.`, { retryable: true });
}

/** Tokens under the project's names; missing counts are 0. */
export function providerUsage(usage: OpenAI.CompletionUsage | undefined): Record<string, Json> {
  return {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    totalTokens: usage?.total_tokens ?? 0,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
