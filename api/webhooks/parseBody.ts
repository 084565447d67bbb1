import type { Json } from '../../domain/json.ts';
import { mediaTypeOf, textOf } from '../pipeline/bodyText.ts';
import { parseJson } from '../pipeline/jsonBody.ts';
import { requireStorable } from './brokenBody.ts';
import { parseForm } from './parseForm.ts';
import { parseMultipart } from './parseMultipart.ts';

const JSON_TYPE = /^application\/(?:[^/]+\+)?json$/;
const TEXT_TYPE = /^(?:text\/.+|application\/(?:[^/]+\+)?(?:xml|yaml)|application\/(?:x-)?(?:yaml|ndjson|jsonl))$/;

export interface BodyLimits {
  maxParts: number;
  maxDepth: number;
}

/**
 * JSON as a value, a form as an object, a text, else `{contentType, size, base64}`. Throws 400, 413 and 415 Problems.
 */
export async function parseBody(
  contentType: string | undefined,
  rawBody: Buffer,
  { maxParts, maxDepth }: BodyLimits,
): Promise<Json> {
  if (rawBody.length === 0) return null;
  const type = mediaTypeOf(contentType);
  if (JSON_TYPE.test(type)) {
    return parseJson(textOf(rawBody, contentType, 'utf-8'), { depth: maxDepth, keepsIntegers: true }) as Json;
  }
  if (type === 'application/x-www-form-urlencoded') return parseForm(textOf(rawBody, contentType), maxParts);
  if (type === 'multipart/form-data') return parseMultipart(contentType ?? '', rawBody, maxParts);
  if (TEXT_TYPE.test(type)) {
    const text = textOf(rawBody, contentType);
    requireStorable(text, '');
    return text;
  }
  // RFC 9110: a body without a type may be treated as bytes.
  const shown = type === '' ? 'application/octet-stream' : type;
  return { contentType: shown, size: rawBody.length, base64: rawBody.toString('base64') };
}
