import { checkAnswer } from './contract.ts';
import { checkPlaces } from './errorPlaces.ts';
import { checkInternalNames } from './internalNames.ts';

/**
 * Wraps fetch, with text bodies only, and checks every response against openapi.yaml. An undocumented status or shape,
 * an error path that the request does not have, or an internal name in a problem fails the test.
 */
export const checkedFetch: typeof fetch = async (address, init = {}) => {
  const { method = 'GET', body } = init;
  const url = new URL(String(address));
  const response = await fetch(url, init);
  const contentType = response.headers.get('content-type') ?? undefined;
  const isStream = contentType?.startsWith('text/event-stream') === true;
  const read = isStream ? undefined : await bodyOf(response.clone());
  checkAnswer({ method, path: url.pathname, status: response.status, contentType, body: read });
  checkPlaces(method, url, sent(body), read);
  if (contentType?.startsWith('application/problem+json')) {
    checkInternalNames(`${method} ${url.pathname} → ${response.status}`, `${url.href} ${body ?? ''}`, read);
  }
  if (response.headers.get('x-request-id') === null) throw new Error(`${method} ${url.pathname}: no X-Request-Id`);
  return response;
};

/** Returns parsed JSON, text, or undefined if the body is empty. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/** Parses JSON if possible: tests also send invalid JSON. */
function sent(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
