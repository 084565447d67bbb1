import { hkdfSync } from 'node:crypto';
import { readEncryptionKeys } from './encryptionKeys.ts';

/**
 * Secrets for one purpose, of the keys of ENCRYPTION_KEY, the newest first. What is derived of the last, oldest one stays
 * as it is when a key is added in front, and changes when the last one is removed. Throws if there is no key.
 */
export function deploymentSecrets(keys: string | undefined, purpose: string): Buffer[] {
  const all = [...readEncryptionKeys(keys).values()];
  if (all.length === 0) throw new Error('ENCRYPTION_KEY has no key');
  return all.map((key) => Buffer.from(hkdfSync('sha256', key.export(), '', `perdure: ${purpose}`, 32)));
}
