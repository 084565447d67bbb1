import { randomBytes } from 'node:crypto';
import { hashToken } from './oneTimeToken.ts';

const PREFIX = 'pdr_';
const FORM = /^pdr_[A-Za-z0-9_-]{40}$/;

export interface NewApiKey {
  key: string;
  hash: Uint8Array<ArrayBuffer>;
  prefix: string;
}

/** 240 random bits after a prefix. */
export function makeApiKey(): NewApiKey {
  const key = PREFIX + randomBytes(30).toString('base64url');
  return { key, hash: hashToken(key), prefix: key.slice(0, 8) };
}

export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

export function isApiKey(credential: string): boolean {
  return FORM.test(credential);
}
