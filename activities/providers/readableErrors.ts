import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { GuardedFetch } from './guardedFetch.ts';

/**
 * OpenAI's package reads `{error: {message}}`. Others: `[{error}]` (Gemini), `{message}` (Mistral), `{detail}`, a text.
 */
export function withReadableErrors(guardedFetch: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const response = await guardedFetch(url, init);
    if (response.status < 400) return response;
    const { status, statusText, headers } = response;
    return new Response(readableError(await response.text()), { status, statusText, headers });
  };
}

function readableError(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return /^\s*</.test(text) ? text : JSON.stringify({ error: { message: text.trim() } });
  }
  const [first = body] = Array.isArray(body) ? body : [body];
  if (!isJsonObject(first)) return text;
  return JSON.stringify({ error: isJsonObject(first.error) ? first.error : errorIn(first) });
}

function errorIn({ error, message, detail, code, type }: JsonObject): JsonObject {
  const said = [error, message, detail].find((each) => each !== undefined && each !== null) ?? '';
  return {
    message: typeof said === 'string' ? said : JSON.stringify(said),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
  };
}
