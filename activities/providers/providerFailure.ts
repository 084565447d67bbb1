import type { APIError } from 'openai';
import { type ContextOverflow, contextOverflowOf } from '../../domain/agent/contextOverflow.ts';
import { durationWritten } from '../../domain/durationWords.ts';
import { maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { storableText } from '../../domain/storableJson.ts';
import { RefusedAddress } from '../apps/guard/addressGuard.ts';
import { waitOf } from '../apps/http/requestFailure.ts';
import { AnswerTooLarge } from './openAiClient.ts';

/** Statuses other than 5xx after which the provider may recover. */
const RETRYABLE_STATUS = new Set([408, 409, 429]);
/** No credit is left, so a retry ends the same way. Gemini's `RESOURCE_EXHAUSTED` recovers. */
const SPENT = /^(insufficient_quota|insufficient_funds|insufficient_credits|billing_.*|credit_.*|payment_required)$/i;
/** Timeouts of the connection pool: before the first piece, or between two pieces. */
const IDLE_CODES = new Set(['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);
const MAX_CHARACTERS = 500;

export interface ProviderFailure extends Failure {
  overflow?: ContextOverflow;
}

/** Quotes the provider, without the secrets of the call. An abort is not a failure: check the signal first. */
export async function providerFailure(error: unknown, secrets: readonly string[]): Promise<ProviderFailure> {
  const { APIConnectionTimeoutError, APIError, APIUserAbortError } = await import('openai');
  const cause = causeOf(error);
  if (cause instanceof RefusedAddress) {
    return failure('PROVIDER_REFUSED_ADDRESS', `The model provider was not called: ${cause.message}.`);
  }
  if (cause instanceof AnswerTooLarge) return failure('PROVIDER_ANSWER_TOO_LARGE', `${cause.message}.`);
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) {
    return failure('PROVIDER_TIMEOUT', 'The model provider did not answer in time.', true);
  }
  if (cause instanceof Error && IDLE_CODES.has(String((cause as NodeJS.ErrnoException).code))) {
    return failure('PROVIDER_TIMEOUT', 'The model provider said nothing more for too long.', true);
  }
  if (!(error instanceof APIError)) {
    const isUnclear = error === cause && (error instanceof SyntaxError || error instanceof TypeError);
    const unclear = 'The model provider answered in another way than its protocol says.';
    return isUnclear ? failure('PROVIDER_ANSWER_UNCLEAR', unclear, true) : unreachable(cause);
  }
  const refusal = refusalOf(error);
  return refusal === undefined ? unreachable(cause) : statedFailure(error, refusal, secrets);
}

export function providerTimeout(timeoutMs: number): Failure {
  return failure('PROVIDER_TIMEOUT', `The model provider did not answer within ${durationWritten(timeoutMs)}.`, true);
}

function unreachable(cause: unknown): Failure {
  const code = String((cause as NodeJS.ErrnoException | undefined)?.code ?? 'no answer');
  return failure('PROVIDER_UNREACHABLE', `The connection to the model provider did not hold (${code}).`, true);
}

function statedFailure(error: APIError, { status, names }: Refusal, secrets: readonly string[]): ProviderFailure {
  const said = saidBy(error).slice(0, MAX_CHARACTERS);
  const isSpent = status === 402 || names.some((name) => SPENT.test(name));
  const retryable = !isSpent && (status === undefined || status >= 500 || RETRYABLE_STATUS.has(status));
  const retryAfterMs = retryable ? retryAfterOf(error) : undefined;
  const how = status === undefined ? 'ended its answer with an error' : `answered ${status}`;
  const message = maskSecrets(storableText(`The model provider ${how}${said === '' ? '.' : `: ${said}`}`), secrets);
  const code = isSpent ? 'PROVIDER_QUOTA' : codeOf(status);
  const overflow = contextOverflowOf(status, names, said);
  return {
    ...failure(code, message, retryable),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(overflow ? { overflow } : {}),
  };
}

interface Refusal {
  /** Undefined: an error within a stream that has none. */
  status: number | undefined;
  names: string[];
}

/** Undefined for an error of the connection. An error within a stream may have its status in its code. */
function refusalOf({ status, error: body }: APIError): Refusal | undefined {
  const { code, type, status: ownStatus } = (body ?? {}) as { code?: unknown; type?: unknown; status?: unknown };
  const names = [code, type, ownStatus].filter((name) => typeof name === 'string');
  if (status !== undefined) return { status, names };
  if (body === undefined || body === null) return undefined;
  const number = [code, ownStatus].map(Number).find((each) => Number.isInteger(each) && each >= 400 && each <= 599);
  return { status: number ?? names.map((name) => statusOf(name)).find((each) => each !== undefined), names };
}

function statusOf(name: string): number | undefined {
  if (/rate_?limit|too_many_requests|resource_exhausted|insufficient_quota/i.test(name)) return 429;
  if (/authentication|invalid_api_key|permission/i.test(name)) return 401;
  if (/overloaded|server_error|internal|unavailable/i.test(name)) return 503;
  if (/timeout|deadline/i.test(name)) return 408;
  return /invalid_|context_length|bad_?request|not_found|content_(filter|policy)|safety/i.test(name) ? 400 : undefined;
}

function retryAfterOf({ headers }: APIError): number | undefined {
  const ms = headers?.get('retry-after-ms') ?? '';
  if (/^\d+(\.\d+)?$/.test(ms)) return waitOf(String(Math.ceil(Number(ms) / 1_000)), Date.now());
  return waitOf(headers?.get('retry-after') ?? undefined, Date.now());
}

function failure(code: string, message: string, retryable = false): Failure {
  return { code, message, retryable };
}

function codeOf(status: number | undefined): string {
  if (status === 401 || status === 403) return 'PROVIDER_UNAUTHENTICATED';
  return status === 429 ? 'PROVIDER_RATE_LIMITED' : 'PROVIDER_STATUS';
}

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
