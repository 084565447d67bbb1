import { z } from 'zod';

/** md5 and sha1 are for existing formats of others (ETags, old webhooks), not for new uses. */
export const algorithm = z.enum(['sha256', 'sha512', 'sha1', 'md5']).default('sha256');
export const outputEncoding = z.enum(['hex', 'base64', 'base64url']).default('hex');
/** How a text stands for bytes. */
export const inputEncoding = z.enum(['utf8', 'hex', 'base64']).default('utf8');

/** The bytes of a text; undefined where it is not in that encoding (Buffer.from would drop the rest silently). */
export function bytesOf(text: string, encoding: z.output<typeof inputEncoding>): Buffer | undefined {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  if (encoding === 'hex') return /^([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
  return base64Bytes(text);
}

/** Standard and URL-safe alphabet, with or without padding, spaces and line breaks allowed. */
export function base64Bytes(text: string): Buffer | undefined {
  const compact = text.replace(/\s+/g, '');
  const body = compact.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/_-]*$/.test(body) || body.length % 4 === 1) return undefined;
  if (body.length !== compact.length && compact.length % 4 !== 0) return undefined;
  return Buffer.from(body, 'base64');
}
