import type { Permission } from '../../../domain/access/permission.ts';
import type { Credentials } from '../../../engine/secrets/credentialVault.ts';
import { sealPlace } from '../../../engine/secrets/sealPlace.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

/** An OAuth2 flow from `authorize` to the callback; stored sealed. */
export interface PendingAuthorization {
  id: string;
  appId: string;
  connectionId: string;
  /** Default: the name of the connection type, or of the renewed connection. */
  name?: string;
  isDefault?: boolean;
  isManaged?: boolean;
  isRenewal: boolean;
  credentials: Credentials;
  redirectUri: string;
  verifier: string;
  /** The provider's address with the state, which stays hidden until the ticket is spent. */
  providerUrl: string;
  by: StoredCaller;
}

type StoredCaller =
  | { kind: 'user'; userId: string; sessionId: string }
  | { kind: 'apiKey'; apiKeyId: string; keyHash: string };

interface Sealed {
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export function sealPending(sealer: Services['sealer'], stateHash: Uint8Array, pending: PendingAuthorization): Sealed {
  return sealer.seal(placeOf(stateHash), JSON.stringify(pending));
}

export function openPending(sealer: Services['sealer'], stateHash: Uint8Array, sealed: Sealed): PendingAuthorization {
  return JSON.parse(sealer.open(placeOf(stateHash), sealed)) as PendingAuthorization;
}

function placeOf(stateHash: Uint8Array) {
  return sealPlace('connection_authorizations', { state_hash: Buffer.from(stateHash).toString('hex') });
}

export function storedCaller(caller: Caller): StoredCaller {
  if (caller.kind === 'user') return { kind: 'user', userId: caller.userId, sessionId: caller.sessionId };
  return { kind: 'apiKey', apiKeyId: caller.apiKeyId, keyHash: Buffer.from(caller.keyHash).toString('base64') };
}

export function callerOf(workspaceId: string, by: StoredCaller): Caller {
  const nobodyYet = { workspaceId, permissions: new Set<Permission>() };
  if (by.kind === 'user') return { ...nobodyYet, ...by };
  return { ...nobodyYet, ...by, keyHash: new Uint8Array(Buffer.from(by.keyHash, 'base64')) };
}
