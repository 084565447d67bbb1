import type { Json } from '../../domain/json.ts';
import { createSealer, SealBroken, type Sealed } from './sealer.ts';
import { type SealPlace, sealPlace } from './sealPlace.ts';

/** Credentials of a connection, by field key. */
export type Credentials = Record<string, string>;

/** The row of the credentials. It is bound into the seal, so that a sealed value cannot be moved to another row. */
export interface CredentialOwner {
  workspaceId: string;
  connectionId: string;
}

export type SealedCredentials = Sealed;

export interface VariableOwner {
  workspaceId: string;
  variableId: string;
}

export interface CredentialVault {
  seal(owner: CredentialOwner, credentials: Credentials): SealedCredentials;
  /** Throws if the key is missing, or the bytes were not sealed for this owner. */
  open(owner: CredentialOwner, sealed: SealedCredentials): Credentials;
  sealVariable(owner: VariableOwner, value: Json): Sealed;
  openVariable(owner: VariableOwner, sealed: Sealed): Json;
}

/** `keys`: ENCRYPTION_KEY. The first key seals. Throws if it is invalid. */
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
  // Postgres accepts a UUID in either case.
  return sealPlace('connections', { workspace_id: workspaceId.toLowerCase(), id: connectionId.toLowerCase() });
}
