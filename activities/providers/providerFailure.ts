import type { APIError } from 'openai';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { RefusedAddress } from '../apps/guard/addressGuard.ts';
import { waitOf } from '../apps/http/requestFailure.ts';
import { AnswerTooLarge } from './openAiClient.ts';

/** Beside 5xx; what `decisions.md` 6 names. */
const RETRYABLE_STATUS = new Set([408, 409, 429]);
/** Longest shown part of a provider's message. */
const MOST_CHARACTERS = 500;

/**
 * Turns an error of a provider call into a failure: code, message, whether a retry makes sense, and when. The message
 * quotes the provider, without the secrets of the call. An abort is not a failure: check the signal first.
 */
export async function providerFailure(error: unknown, secrets: readonly string[]): Promise<Failure> {
  const { APIConnectionTimeoutError, APIError, APIUserAbortError } = await import('openai');
  const cause = causeOf(error);
  if (cause instanceof RefusedAddress) {
    return failure('PROVIDER_REFUSED_ADDRESS', `The model provider was not called: ${cause.message}.`);
  }
  if (cause instanceof AnswerTooLarge) return failure('PROVIDER_ANSWER_TOO_LARGE', `${cause.message}.`);
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) {
    return failure('PROVIDER_TIMEOUT', 'The model provider did not answer in time.', true);
  }
  if (!(error instanceof APIError) || error.status === undefined) {
    const code = String((cause as NodeJS.ErrnoException | undefined)?.code ?? 'no answer');
    return failure('PROVIDER_UNREACHABLE', `The connection to the model provider did not hold (${code}).`, true);
  }
  const { status } = error as APIError<number>;
  const said = saidBy(error).slice(0, MOST_CHARACTERS);
  const retryable = status >= 500 || RETRYABLE_STATUS.has(status);
  const retryAfterMs = retryable ? waitOf(error.headers?.get('retry-after') ?? undefined, Date.now()) : undefined;
  const message = maskSecrets(`The model provider answered ${status}${said === '' ? '.' : `: ${said}`}`, secrets);
  return { ...failure(codeOf(status), message, retryable), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function failure(code: string, message: string, retryable = false): Failure {
  return { code, message, retryable };
}

function codeOf(status: number): string {
  if (status === 401 || status === 403) return 'PROVIDER_UNAUTHENTICATED';
  return status === 429 ? 'PROVIDER_RATE_LIMITED' : 'PROVIDER_STATUS';
}

/** The innermost cause: the client wraps the error of its fetch, which wraps that of the socket. */
function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause;
}

function saidBy(error: APIError): string {
  const { error: body } = error as { error: unknown };
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof said === 'string' ? said : '';
}
