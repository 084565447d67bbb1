import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { readEncryptionKeys } from './encryptionKeys.ts';
import type { SealPlace } from './sealPlace.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
  /** Nonce (12 bytes), tag (16), ciphertext of the text in UTF-8. */
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Parses a sealed value in the database's JSON, with its bytes in Base64. */
export function sealedOf({ sealed, keyId }: { sealed: string; keyId: string }): Sealed {
  return { sealed: new Uint8Array(Buffer.from(sealed, 'base64')), keyId };
}

/** Seals texts with AES-256-GCM by the newest key; opens them by any key. */
export interface Sealer {
  readonly newestKeyId: string;
  /** `place` is bound into the seal: a sealed value cannot be moved to another row. */
  seal(place: SealPlace, text: string): Sealed;
  /** Throws SealBroken if the key is missing, or the bytes were not sealed for this place. */
  open(place: SealPlace, sealed: Sealed): string;
}

/** The message continues the name of the sealed value: `… do not open: …`. */
export class SealBroken extends Error {}

/** `keys`: ENCRYPTION_KEY. Throws if it is invalid. */
export function createSealer(keys: string | undefined): Sealer {
  const byId = readEncryptionKeys(keys);
  const [newestId, newestKey] = byId.entries().next().value as [string, KeyObject];

  return {
    newestKeyId: newestId,

    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newestKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), sealed]), keyId: newestId };
    },

    open(place, { sealed, keyId }) {
      const key = byId.get(keyId);
      if (!key) throw new SealBroken(`sealed with the key "${keyId}", which ENCRYPTION_KEY lacks`);
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(place));
      try {
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return text.toString('utf8');
      } catch (cause) {
        throw new SealBroken('another key of the same id, or changed bytes', { cause });
      }
    },
  };
}
