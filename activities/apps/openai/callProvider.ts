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

/** The package's own timeout comes after ours, which has the message. */
const PACKAGE_LATER_MS = 1_000;

type RequestOptions = NonNullable<Parameters<OpenAI['chat']['completions']['create']>[1]>;

/** One call to the provider of the step's connection, under one timeout; an error is the failure of the step. */
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
    // The timeout of the input alone counts, however long it is.
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

/** A provider that answers 200 with something else than its API says. */
export function unclearAnswer(what: string): ActionResult {
  return failed('PROVIDER_ANSWER_UNCLEAR', `The model provider answered without ${what}.`, { retryable: true });
}

/** Tokens under the project's names; missing counts are 0. */
export function providerUsage(usage: OpenAI.CompletionUsage | undefined): Record<string, Json> {
  return usageOf(usage) as object as Record<string, Json>;
}

/** A chat with its limit under the name that the provider knows; the second try is a request of its own. */
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
