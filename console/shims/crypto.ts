// Replaces node:crypto in the browser (vite.config.mjs), for the synchronous hashes of domain/.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const HASHES = { sha256 } as const;

interface Hash {
  update(data: string | Uint8Array): Hash;
  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
}

/** Throws for a hash that domain/ does not use. */
export function createHash(name: string): Hash {
  const make = (HASHES as Record<string, (typeof HASHES)['sha256'] | undefined>)[name];
  if (make === undefined) throw new Error(`the console has no hash ${name}`);
  const state = make.create();
  const hash = {
    update(data: string | Uint8Array) {
      state.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return hash;
    },
    digest: ((encoding?: 'hex') =>
      encoding === 'hex' ? bytesToHex(state.digest()) : state.digest()) as Hash['digest'],
  };
  return hash;
}
