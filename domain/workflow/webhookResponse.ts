import type { WebhookResponse } from '../execution/stepRecord.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { headerNameProblem, headerValueProblem } from './headerRules.ts';

/** By RFC 9110, responses with these statuses have no body. */
const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

export type ReadResponse =
  | { response: WebhookResponse; problem?: undefined }
  | { response?: undefined; problem: string };

/** Reads evaluated inputs; a problem begins with its place. `mayScript`: JavaScript is allowed. */
export function webhookResponse({ status, headers, body, encoding }: JsonObject, mayScript = false): ReadResponse {
  const code = status ?? 200;
  if (typeof code !== 'number' || !Number.isInteger(code) || code < 200 || code > 599) {
    return { problem: `status: expected a whole number from 200 to 599, got ${JSON.stringify(code)}` };
  }
  const read = readHeaders(headers ?? {}, mayScript);
  if (read.problem !== undefined) return { problem: read.problem };
  const content = body ?? null;
  if (BODILESS_STATUSES.has(code) && content !== null) return { problem: `body: an answer of ${code} has no body` };
  const isBase64 = encoding === 'base64';
  if (!isBase64 && encoding !== undefined && encoding !== null) {
    return { problem: `encoding: expected base64, got ${JSON.stringify(encoding)}` };
  }
  if (isBase64 && !isBase64Text(content)) {
    return { problem: 'body: expected base64, as encoding says' };
  }
  return {
    response: { status: code, headers: read.headers, body: content, ...(isBase64 ? { encoding: 'base64' } : {}) },
  };
}

/** Valid if decoding and encoding gives the same text. A pattern would be slower for megabytes. */
function isBase64Text(content: Json): boolean {
  return typeof content === 'string' && Buffer.from(content, 'base64').toString('base64') === content;
}

function readHeaders(
  headers: Json,
  mayScript: boolean,
): { headers: Record<string, string>; problem?: undefined } | { headers?: undefined; problem: string } {
  if (!isJsonObject(headers)) return { problem: `headers: expected an object of texts, got ${kindOfJson(headers)}` };
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const place = pathTo('headers', name);
    // An expression can leave out a header.
    if (value === null) continue;
    if (typeof value === 'object') return { problem: `${place}: expected text, got ${kindOfJson(value)}` };
    const problem = headerNameProblem(name) ?? headerValueProblem(name, String(value), mayScript);
    if (problem !== undefined) return { problem: `${place}: ${problem}` };
    texts[name.toLowerCase()] = String(value);
  }
  return { headers: texts };
}
