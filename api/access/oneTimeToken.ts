import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits in base64url, given out once, and their SHA-256, which is stored. */
export function makeOneTimeToken(): { token: string; hash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** Tokens have enough random bits that a fast hash suffices, and lookups by hash leak nothing through timing. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
