import type { ThrownError } from './messages.ts';

const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const MAX_MESSAGE = 4_096;
const MAX_CAUSES = 4;

/** The members of a thrown value that a failure has. Getters of the value may throw: that is its message then. */
export function thrownError(thrown: unknown, placeOf: (stack: string) => string | undefined): ThrownError {
  try {
    if (typeof thrown !== 'object' || thrown === null) return { message: cut(`thrown: ${String(thrown)}`) };
    const { code, retryable, retryAfterMs, details, stack } = thrown as Record<string, unknown>;
    const place = typeof stack === 'string' ? placeOf(stack) : undefined;
    const named = code ?? (thrown as { cause?: { code?: unknown } }).cause?.code;
    return {
      message: cut(messageOf(thrown)) + (place === undefined ? '' : ` (${place})`),
      ...(typeof named === 'string' && CODE.test(named) ? { code: named } : {}),
      ...(typeof retryable === 'boolean' ? { retryable } : {}),
      ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? { retryAfterMs } : {}),
      ...(typeof details === 'object' && details !== null ? { details: JSON.stringify(details) } : {}),
    };
  } catch {
    return { message: 'A value was thrown that cannot be shown' };
  }
}

/** `fetch failed` alone says nothing: the causes do. */
function messageOf(thrown: object): string {
  const texts: string[] = [];
  let at: unknown = thrown;
  while (typeof at === 'object' && at !== null && texts.length < MAX_CAUSES) {
    const { message, errors, cause } = at as { message?: unknown; errors?: unknown; cause?: unknown };
    const first: unknown = Array.isArray(errors) ? (errors[0] as { message?: unknown })?.message : undefined;
    texts.push(String(message || first || (at as Error).name || 'Error'));
    at = cause;
  }
  return texts.join(': ');
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}
