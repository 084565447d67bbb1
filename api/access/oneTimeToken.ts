import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url, given to a caller once, and their SHA-256, which is stored. */
export function makeOneTimeToken(): { token: string; hash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Tokens and API keys have so many random bits that no slow hash is needed, and the look-up by hash leaks nothing by its time. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
