import { STATUS_CODES } from 'node:http';
import { storableText } from '../../../domain/storableJson.ts';
import { type ActionResult, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import type { Outgoing } from './outgoing.ts';
import { InvalidResponse, TooLarge } from './responseBody.ts';

const RETRYABLE_STATUS = new Set([408, 425, 429]);
/** A server may ask for a pause, not for a step that never ends. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** Names the request in messages without path and query, which may contain tokens and data. */
export function named(request: Pick<Outgoing, 'method' | 'url'>): string {
  return `${request.method} ${request.url.origin}`;
}

export function isRetryableStatus(status: number): boolean {
  return status >= 500 || RETRYABLE_STATUS.has(status);
}

/** `body`: the beginning of the response, if it is text. */
export function statusFailure(
  request: Outgoing,
  status: number,
  retryAfter: string | undefined,
  body: string | undefined,
): ActionResult {
  const { origin, pathname } = request.url;
  const retryable = isRetryableStatus(status);
  const retryAfterMs = retryable ? waitOf(retryAfter, Date.now()) : undefined;
  return failed('HTTP_STATUS', `${named(request)} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(), {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    // Without the query, which may contain tokens. The step's input shows it masked.
    details: {
      url: storableText(`${origin}${pathname}`),
      status,
      ...(body === undefined ? {} : { body: storableText(body) }),
    },
  });
}

/** Parses Retry-After, seconds or an HTTP date, to milliseconds from `now`. */
export function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

const INVALID_ANSWER = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/;

export function thrownFailure(request: Outgoing, error: unknown): ActionResult {
  if (error instanceof RefusedAddress) {
    return failed('HTTP_REFUSED_ADDRESS', `${named(request)} was refused: ${error.message}.`);
  }
  if (error instanceof TooLarge) {
    return failed('HTTP_RESPONSE_TOO_LARGE', `The answer of ${named(request)} ${error.message}.`);
  }
  if (error instanceof InvalidResponse) {
    return failed('HTTP_INVALID_RESPONSE', `The answer of ${named(request)} is not valid: ${error.message}.`);
  }
  const code = String((error as NodeJS.ErrnoException).code ?? (error as Error).name);
  if (INVALID_ANSWER.test(code)) {
    return failed('HTTP_INVALID_RESPONSE', `The answer of ${named(request)} is not valid HTTP (${code}).`);
  }
  return failed('HTTP_CONNECTION_FAILED', `${named(request)} failed: the connection did not hold (${code}).`, {
    retryable: true,
  });
}
