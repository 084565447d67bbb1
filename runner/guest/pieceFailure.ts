const RETRYABLE_STATUS = new Set([408, 425, 429]);
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** The request may have left. */
const BROKEN = /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|UND_ERR_)/;
const MAX_BODY = 4_096;
const MAX_CAUSES = 4;

/** A failure with a code, whose message is complete. */
export class PieceFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string, more: object = {}) {
    super(message);
    this.code = code;
    // The place in a bundle of a package says nothing.
    Object.defineProperty(this, 'stack', { value: undefined });
    Object.assign(this, more);
  }
}

interface Answer {
  status?: unknown;
  statusCode?: unknown;
  data?: unknown;
  body?: unknown;
  headers?: unknown;
}

/**
 * Returns the failure of an error of a piece. The clients of pieces (axios, got, fetch, SDKs) put the answer of the service
 * into different members. Messages of HttpError contain the request, which may have secrets.
 */
export function pieceFailure(thrown: unknown): PieceFailure {
  if (thrown instanceof PieceFailure) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return new PieceFailure('CODE_THREW', `thrown: ${String(thrown)}`);
  const { _err, response, message, $metadata } = thrown as Record<string, unknown>;
  const code = (thrown as { code?: unknown }).code ?? (thrown as { cause?: { code?: unknown } }).cause?.code;
  // The HttpError of old pieces claims status 500 if there was no answer.
  if (isObject(_err)) return pieceFailure(_err);
  const answer: Answer = isObject(response) ? response : { ...(thrown as Answer), body: undefined };
  const status = [answer.status, answer.statusCode, isObject($metadata) ? $metadata.httpStatusCode : 0].find(
    isErrorStatus,
  );
  if (status !== undefined) return statusFailure(status, answer, isObject(response) ? undefined : message);
  const text = messagesOf(thrown).join(': ') || String(code);
  if (typeof code === 'string' && UNREACHABLE.test(code)) {
    return new PieceFailure('HTTP_CONNECTION_FAILED', `The service cannot be reached: ${text}`, { retryable: true });
  }
  if (typeof code === 'string' && BROKEN.test(code)) {
    return new PieceFailure('HTTP_CONNECTION_LOST', `The connection broke: ${text}`, { retryable: true });
  }
  return new PieceFailure(typeof code === 'string' && /^[A-Z]/.test(code) ? code : 'CODE_THREW', text);
}

function statusFailure(status: number, { data, body, headers }: Answer, message: unknown): PieceFailure {
  const retryable = status >= 500 || RETRYABLE_STATUS.has(status);
  const wait = retryable ? waitOf(headerOf(headers, 'retry-after')) : undefined;
  const answered = textOf(data ?? body);
  const said = typeof message === 'string' ? `: ${message}` : '';
  return new PieceFailure('HTTP_STATUS', `The service answered ${status}${said}`, {
    retryable,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    details: { status, ...(answered === undefined ? {} : { body: answered }) },
  });
}

/** `fetch failed` alone says nothing: the causes do. */
function messagesOf(thrown: object): string[] {
  const texts: string[] = [];
  let at: unknown = thrown;
  for (let depth = 0; isObject(at) && depth < MAX_CAUSES; depth += 1) {
    const { message, cause, errors } = at;
    if (typeof message === 'string' && message !== '') texts.push(message);
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return texts;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isErrorStatus(status: unknown): status is number {
  return typeof status === 'number' && status >= 400 && status <= 599;
}

function headerOf(headers: unknown, name: string): unknown {
  if (!isObject(headers)) return undefined;
  return typeof headers.get === 'function' ? headers.get(name) : headers[name];
}

/** Retry-After: seconds, or a date. */
function waitOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null || body === '') return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
}
