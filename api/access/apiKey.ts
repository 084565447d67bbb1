import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'pdr_';
const FORM = /^pdr_[A-Za-z0-9_-]{40}$/;

export interface NewApiKey {
  /** Shown once, never kept. */
  key: string;
  /** SHA-256. A key has 240 random bits, so no slow hash is needed, and the look-up by hash leaks nothing by its time. */
  hash: Buffer;
  /** The first 8 characters, for people to tell keys apart. */
  prefix: string;
}

export function makeApiKey(): NewApiKey {
  const key = PREFIX + randomBytes(30).toString('base64url');
  return { key, hash: hashApiKey(key), prefix: key.slice(0, 8) };
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Whether a Bearer credential means to be an API key; no JWT starts like one. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

export function isApiKey(credential: string): boolean {
  return FORM.test(credential);
}
