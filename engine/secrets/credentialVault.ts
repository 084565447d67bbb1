import type { Json } from '../../domain/json.ts';
import { createSealer, SealBroken, type Sealed } from './sealer.ts';
import { type SealPlace, sealPlace } from './sealPlace.ts';

/** The credentials of a connection, by the keys of its type's fields. */
export type Credentials = Record<string, string>;

/** The row of the credentials, bound into the seal, so that a sealed value cannot be moved to another row. */
export interface CredentialOwner {
  workspaceId: string;
  connectionId: string;
}

export type SealedCredentials = Sealed;

/** The row of a secret variable, bound into its seal. */
export interface VariableOwner {
  workspaceId: string;
  variableId: string;
}

/** Seals the credentials of connections, and the values of secret variables. */
export interface CredentialVault {
  seal(owner: CredentialOwner, credentials: Credentials): SealedCredentials;
  /** Throws if the key is gone, or the bytes were not sealed for this owner. */
  open(owner: CredentialOwner, sealed: SealedCredentials): Credentials;
  sealVariable(owner: VariableOwner, value: Json): Sealed;
  /** Throws as `open` does. */
  openVariable(owner: VariableOwner, sealed: Sealed): Json;
}

/** `keys` is ENCRYPTION_KEY: `id:base64` of 32 bytes each, comma separated; the first seals. Throws if it is not. */
export function createCredentialVault(keys: string | undefined): CredentialVault {
  const sealer = createSealer(keys);
  return {
    seal: (owner, credentials) => sealer.seal(placeOf(owner), JSON.stringify(credentials)),

    open(owner, sealed) {
      try {
        return JSON.parse(sealer.open(placeOf(owner), sealed)) as Credentials;
      } catch (cause) {
        if (!(cause instanceof SealBroken)) throw cause;
        const { connectionId } = owner;
        throw new Error(`The credentials of connection ${connectionId} do not open: ${cause.message}`, { cause });
      }
    },

    sealVariable: (owner, value) => sealer.seal(placeOfVariable(owner), JSON.stringify(value)),

    openVariable(owner, sealed) {
      try {
        return JSON.parse(sealer.open(placeOfVariable(owner), sealed)) as Json;
      } catch (cause) {
        if (!(cause instanceof SealBroken)) throw cause;
        throw new Error(`The secret variable ${owner.variableId} does not open: ${cause.message}`, { cause });
      }
    },
  };
}

function placeOfVariable({ workspaceId, variableId }: VariableOwner): SealPlace {
  return sealPlace('variables', { workspace_id: workspaceId.toLowerCase(), id: variableId.toLowerCase() });
}

function placeOf({ workspaceId, connectionId }: CredentialOwner): SealPlace {
  // Postgres takes a UUID in either case.
  return sealPlace('connections', { workspace_id: workspaceId.toLowerCase(), id: connectionId.toLowerCase() });
}
