import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { readEncryptionKeys } from './encryptionKeys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The credentials of a connection, by the keys of its type's fields. */
export type Credentials = Record<string, string>;

/** Whose credentials they are: bound into the seal, so that one row's cannot be put into another. */
export interface CredentialOwner {
  workspaceId: string;
  connectionId: string;
}

export interface SealedCredentials {
  /** Nonce (12 bytes), tag (16), ciphertext of the JSON. */
  sealed: Uint8Array<ArrayBuffer>;
  /** Which of the keys sealed it. */
  keyId: string;
}

/** Seals credentials with AES-256-GCM by the newest key, opens them by whichever sealed them. */
export interface CredentialVault {
  seal(owner: CredentialOwner, credentials: Credentials): SealedCredentials;
  /** Throws where the key is gone, or the bytes were not sealed for this owner. */
  open(owner: CredentialOwner, sealed: SealedCredentials): Credentials;
}

/** `keys` is ENCRYPTION_KEY: `id:base64` of 32 bytes each, comma separated; the first seals. Throws where it is not. */
export function createCredentialVault(keys: string | undefined): CredentialVault {
  const byId = readEncryptionKeys(keys);
  const [newestId, newestKey] = byId.entries().next().value as [string, KeyObject];

  return {
    seal(owner, credentials) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newestKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(owner));
      const text = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]), keyId: newestId };
    },

    open(owner, { sealed, keyId }) {
      const key = byId.get(keyId);
      if (!key) {
        throw new Error(
          `Connection ${owner.connectionId} is sealed with the key "${keyId}", which ENCRYPTION_KEY lacks`,
        );
      }
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(owner));
      try {
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
        return JSON.parse(text.toString('utf8')) as Credentials;
      } catch (cause) {
        throw new Error(
          `The credentials of connection ${owner.connectionId} do not open: another key of the same id, or changed bytes`,
          { cause },
        );
      }
    },
  };
}

function boundTo({ workspaceId, connectionId }: CredentialOwner): Buffer {
  // Postgres takes a UUID in either case.
  return Buffer.from(`${workspaceId}/${connectionId}`.toLowerCase());
}
