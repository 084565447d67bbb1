import type { OpenAI } from 'openai';
import { usageOf } from '../../../domain/agent/usage.ts';
import type { Json } from '../../../domain/json.ts';
import type { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import { type ChosenProvider, providerOf } from '../../providers/chosenProvider.ts';
import { withLimit } from '../../providers/limitName.ts';
import type { OpenAiClient } from '../../providers/openAiClient.ts';
import { providerFailure, providerTimeout } from '../../providers/providerFailure.ts';
import { type ActionCall, type ActionResult, failed } from '../executor.ts';
import type { ChatBody } from './conversation.ts';

export interface OpenAiSettings {
  openAiClient: OpenAiClient;
  evaluation: Evaluation;
}

/** Added to the package's timeout, so that ours, which has the message, fires first. */
const PACKAGE_LATER_MS = 1_000;

type RequestOptions = NonNullable<Parameters<OpenAI['chat']['completions']['create']>[1]>;

export async function callProvider<T>(
  { openAiClient }: OpenAiSettings,
  call: ActionCall,
  timeoutMs: number,
  ask: (provider: ChosenProvider, options: RequestOptions) => Promise<T>,
  read: (answer: T) => ActionResult | Promise<ActionResult>,
): Promise<ActionResult> {
  call.signal.throwIfAborted();
  const { connection, origin } = call;
  const provider = await providerOf(openAiClient, connection?.credentials ?? {}, origin?.workspaceId);
  const timeout = AbortSignal.timeout(timeoutMs);
  let answer: T;
  try {
    const signal = AbortSignal.any([call.signal, timeout]);
    // Only the input's timeout limits the call.
    const options = { signal, timeout: timeoutMs + PACKAGE_LATER_MS };
    answer = await ask(provider, { ...options, headers: { 'idempotency-key': call.idempotencyKey } });
  } catch (error) {
    call.signal.throwIfAborted();
    const failure = timeout.aborted ? providerTimeout(timeoutMs) : await providerFailure(error, provider.secrets);
    const { code, message, retryable, retryAfterMs } = failure;
    return failed(code, message, { retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  }
  return read(answer);
}

/** The provider answered 200, but not as its API specifies. */
export function unclearAnswer(what: string): ActionResult {
  return failed('PROVIDER_ANSWER_UNCLEAR', `The model provider answered without ${what}.`, { retryable: true });
}

export function providerUsage(usage: OpenAI.CompletionUsage | undefined): Record<string, Json> {
  return usageOf(usage) as object as Record<string, Json>;
}

/** A second try is a separate request. */
export function askChat(
  provider: ChosenProvider,
  { maxTokens, ...body }: ChatBody,
  options: RequestOptions,
): Promise<OpenAI.ChatCompletion> {
  return withLimit(
    provider,
    { model: body.model, limit: maxTokens, usual: 'max_completion_tokens' },
    (limit, isAgain) => {
      const key = new Headers(options.headers as Record<string, string>).get('idempotency-key');
      const again = isAgain && key !== null ? { headers: { 'idempotency-key': `${key}-limit` } } : {};
      return provider.client.chat.completions.create({ ...body, ...limit }, { ...options, ...again });
    },
  );
}
