import { isUtf8 } from 'node:buffer';
import { type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import type { Json } from '../../../domain/json.ts';

export type ResponseType = 'auto' | 'json' | 'text' | 'base64';

export class TooLarge extends Error {}
export class InvalidResponse extends Error {}

type Decoder = Transform & Zlib;

const DECODERS: Record<string, () => Decoder> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
/** More encodings serve only to exhaust the reader. */
const MAX_ENCODINGS = 2;

/**
 * Reads and decodes a body. Counts while reading, so that one that is endless or decompresses to gigabytes stops at the
 * limit; with `cut`, returns the bytes until then. Throws TooLarge, InvalidResponse, or errors of the connection.
 */
export async function readBytes(
  body: Readable,
  contentEncoding: string,
  maxBytes: number,
  beyond: 'fail' | 'cut' = 'fail',
): Promise<Buffer> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const unknown = encodings.find((name) => !Object.hasOwn(DECODERS, name));
  if (unknown !== undefined || encodings.length > MAX_ENCODINGS) {
    discard(body);
    throw new InvalidResponse(`its Content-Encoding is not one of ${Object.keys(DECODERS).join(', ')}`);
  }
  const decoders = encodings.reverse().map((name) => (DECODERS[name] as () => Decoder)());
  const gathered = new Gathered();
  const collector = new Writable({
    write(chunk: Buffer, _encoding, done) {
      gathered.add(chunk);
      done(gathered.bytes.length > maxBytes ? new TooLarge(`is larger than ${maxBytes} bytes`) : null);
    },
  });
  try {
    await pipeline([body, ...decoders, collector]);
  } catch (error) {
    if (error instanceof TooLarge && beyond === 'cut') return gathered.bytes.subarray(0, maxBytes);
    // Responses to HEAD, and some empty ones, declare an encoding and have no body.
    if (endedEarly(error) && decoders[0]?.bytesWritten === 0) return Buffer.alloc(0);
    if (isDecodingError(error)) throw new InvalidResponse(`its body is not valid ${contentEncoding}`);
    throw error;
  }
  return gathered.bytes;
}

const FIRST_BYTES = 16_384;

/** A single buffer that doubles. A server may send each byte separately, and each chunk would cost a hundred bytes. */
class Gathered {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Drops the connection, because the unwanted body may have any length. */
export function discard(body: Readable): void {
  // Ending a body early is an error of its stream, which would end the process without a listener.
  body.on('error', () => undefined).destroy();
}

/** zlib's errors are named Z_DATA_ERROR…, Brotli's ERR__ERROR_FORMAT… */
function isDecodingError(error: unknown): boolean {
  return /^(Z_|ERR_+(BROTLI|ERROR_FORMAT))/.test(String((error as NodeJS.ErrnoException).code));
}

function endedEarly(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
}

const TEXT_TYPE =
  /^(text\/|application\/(.+\+)?(xml|yaml|x-yaml|javascript|x-www-form-urlencoded|graphql|x-ndjson|sql)$)/;

/**
 * `auto` follows the content type: JSON, text, else Base64; without one, text if it is UTF-8. Throws InvalidResponse.
 */
export function bodyValue(bytes: Buffer, contentType: string, responseType: ResponseType): Json {
  const [mediaType = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const kind = responseType === 'auto' ? kindOf(bytes, mediaType) : responseType;
  if (bytes.length === 0 && (kind === 'json' || (responseType === 'auto' && mediaType === ''))) return null;
  if (kind === 'base64') return bytes.toString('base64');
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const text = decode(bytes, charset || 'utf-8');
  if (kind === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new InvalidResponse('its body is not valid JSON; responseType "text" gives it as it is');
  }
}

export function textOf(bytes: Buffer, contentType: string): string | undefined {
  const [mediaType = ''] = contentType.toLowerCase().split(';');
  if (bytes.length === 0 || kindOf(bytes, mediaType.trim()) === 'base64') return undefined;
  return String(bodyValue(bytes, contentType, 'text'));
}

function kindOf(bytes: Buffer, mediaType: string): 'json' | 'text' | 'base64' {
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return 'json';
  if (TEXT_TYPE.test(mediaType)) return 'text';
  return mediaType === '' && isUtf8(bytes) ? 'text' : 'base64';
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new InvalidResponse('its charset is not known; responseType "base64" gives the bytes');
  }
}
