import { createHash } from 'node:crypto';
import { charge, made } from '../meter.ts';
import { chargedJson } from '../result.ts';
import { bytesAt, chargedText, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';

function parseJson(args: readonly unknown[]): unknown {
  const text = textAt(args, 0);
  // Short lists and maps need more memory than their text.
  charge(text.length >> 1);
  made(text.length << 2);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the text is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function parseBase64(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  charge(text.length >> 4);
  if (!BASE64.test(text)) throw new Error('the text is not base64');
  const bytes = Buffer.from(text, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Error('the bytes are not UTF-8 text', { cause: error });
  }
}

function urlEncode(args: readonly unknown[]): string {
  const text = textAt(args, 0);
  charge(text.length >> 1);
  try {
    return chargedText(encodeURIComponent(text));
  } catch (error) {
    if (error instanceof URIError) throw new Error('the text holds half of a surrogate pair', { cause: error });
    throw error;
  }
}

function sha256(args: readonly unknown[]): string {
  const bytes = bytesAt(args, 0);
  charge(bytes.length >> 4);
  return createHash('sha256').update(bytes).digest('hex');
}

const one = { least: 1, most: 1 };

export const ENCODING_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'json',
    signature: 'json(value) → text',
    doc: 'The value as JSON.',
    ...one,
    returns: 'string',
    call: (args) => JSON.stringify(chargedJson(args[0])),
  },
  {
    name: 'parseJson',
    signature: 'parseJson(text)',
    doc: 'The value of a JSON text.',
    ...one,
    returns: 'dyn',
    call: parseJson,
  },
  {
    name: 'base64',
    signature: 'base64(text or bytes) → text',
    doc: 'Base64 of the UTF-8 bytes, or of the bytes.',
    ...one,
    returns: 'string',
    call: (args) => chargedText(Buffer.from(bytesAt(args, 0)).toString('base64')),
  },
  {
    name: 'parseBase64',
    signature: 'parseBase64(text) → text',
    doc: 'Decodes UTF-8 text from base64 (or its URL form).',
    ...one,
    returns: 'string',
    call: parseBase64,
  },
  {
    name: 'urlEncode',
    signature: 'urlEncode(text) → text',
    doc: "As a part of a URL: everything but letters, digits and -_.!~*'() is escaped.",
    ...one,
    returns: 'string',
    call: urlEncode,
  },
  {
    name: 'sha256',
    signature: 'sha256(text or bytes) → text',
    doc: 'SHA-256 in lower-case hexadecimal digits.',
    ...one,
    returns: 'string',
    call: sha256,
  },
];
