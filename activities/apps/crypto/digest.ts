import { z } from 'zod';

/** md5 and sha1 are for existing formats (ETags, old webhooks), not for new uses. */
export const algorithm = z.enum(['sha256', 'sha512', 'sha1', 'md5']).default('sha256');
export const outputEncoding = z.enum(['hex', 'base64', 'base64url']).default('hex');
export const inputEncoding = z.enum(['utf8', 'hex', 'base64']).default('utf8');

/** Undefined if the text is not in that encoding (Buffer.from would silently drop the rest). */
export function bytesOf(text: string, encoding: z.output<typeof inputEncoding>): Buffer | undefined {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  if (encoding === 'hex') return /^([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
  return base64Bytes(text);
}

/** Accepts the standard and URL-safe alphabets, with or without padding, spaces and line breaks. */
export function base64Bytes(text: string): Buffer | undefined {
  const compact = text.replace(/\s+/g, '');
  const body = compact.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/_-]*$/.test(body) || body.length % 4 === 1) return undefined;
  if (body.length !== compact.length && compact.length % 4 !== 0) return undefined;
  return Buffer.from(body, 'base64');
}
