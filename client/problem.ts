import type { components } from './contract.ts';

/** The body of a refused request, RFC 9457. A newer API may have codes that this client does not know. */
export type ProblemBody = Partial<Omit<components['schemas']['Problem'], 'code'>> & { code: string };

/** `code` of a request without an answer: all tries failed to reach the API. */
export const UNREACHABLE = 'API_UNREACHABLE';

/** `code` of an answer that did not come from the API but, for instance, from a proxy. */
export const NOT_AN_ANSWER = 'UNEXPECTED_ANSWER';

/** A request that was refused, or that got no answer (`status` 0, `code` API_UNREACHABLE). */
export class PerdureProblem extends Error {
  override readonly name = 'PerdureProblem';
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Stable, for programs: `NOT_FOUND`, `LEASE_LOST`, … */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  readonly requestId: string | undefined;
  /** Each mistake with its place, if there are several. */
  readonly errors: NonNullable<ProblemBody['errors']>;
  /** The whole body, including members that only some codes have, such as `candidates`. */
  readonly body: ProblemBody;
  /** When the API asks the caller to retry. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, body: ProblemBody, more: ProblemCircumstances = {}) {
    const detail = body.detail ?? body.title ?? body.code;
    super(detail, { cause: more.cause });
    this.status = status;
    this.code = body.code;
    this.detail = detail;
    this.requestId = body.requestId ?? more.requestId;
    this.errors = body.errors ?? [];
    this.body = body;
    this.retryAfterMs = more.retryAfterMs;
  }
}

interface ProblemCircumstances {
  cause?: unknown;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

export function isProblem(error: unknown, code?: string): error is PerdureProblem {
  return error instanceof PerdureProblem && (code === undefined || error.code === code);
}

/** Makes the problem of an answer outside 2xx and 3xx. Reads its body. */
export async function problemOf(answer: Response): Promise<PerdureProblem> {
  const text = await answer.text().catch(() => '');
  const more = {
    requestId: answer.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(answer.headers.get('retry-after'), Date.now()),
  };
  const body = parsed(text);
  if (body !== undefined) return new PerdureProblem(answer.status, body, more);
  const detail = `The answer ${answer.status} did not come from the API: ${text.slice(0, 200) || 'it is empty'}`;
  return new PerdureProblem(answer.status, { code: NOT_AN_ANSWER, detail }, more);
}

function parsed(text: string): ProblemBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isProblem = typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
    return isProblem ? (body as ProblemBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses Retry-After, in seconds or as a date, into milliseconds. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
