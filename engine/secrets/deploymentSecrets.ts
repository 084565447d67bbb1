import { hkdfSync } from 'node:crypto';
import { readEncryptionKeys } from './encryptionKeys.ts';

/**
 * Derives secrets for one purpose from ENCRYPTION_KEY, newest key first. A key added in front does not change the last
 * secret; removing the last key does. Throws if there is no key.
 */
export function deploymentSecrets(keys: string | undefined, purpose: string): Buffer[] {
  const all = [...readEncryptionKeys(keys).values()];
  if (all.length === 0) throw new Error('ENCRYPTION_KEY has no key');
  return all.map((key) => Buffer.from(hkdfSync('sha256', key.export(), '', `perdure: ${purpose}`, 32)));
}
