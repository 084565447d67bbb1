import { createSecretKey, type KeyObject } from 'node:crypto';

/** Parses ENCRYPTION_KEY, newest first: `id:base64` of 32 bytes each, comma separated. Throws if it is invalid. */
export function readEncryptionKeys(keys: string | undefined): Map<string, KeyObject> {
  const byId = new Map<string, KeyObject>();
  const entries = (keys ?? '').split(',').map((entry) => entry.trim());
  for (const [index, entry] of entries.entries()) {
    const colon = entry.indexOf(':');
    const id = entry.slice(0, Math.max(colon, 0));
    const bytes = Buffer.from(entry.slice(colon + 1), 'base64');
    // A message never contains the text of a key.
    if (colon < 1 || bytes.length !== 32) {
      throw new Error(
        `ENCRYPTION_KEY, key ${index + 1}: expected id:base64 of 32 bytes, e.g. k1:$(openssl rand -base64 32)${
          colon < 1 ? '; the id is missing' : `; "${id}" has ${bytes.length} bytes`
        }`,
      );
    }
    if (byId.has(id)) throw new Error(`ENCRYPTION_KEY names the key "${id}" twice`);
    byId.set(id, createSecretKey(bytes));
  }
  return byId;
}
