import { type SealPlace, sealPlace } from '../../../engine/sealPlace.ts';

/** Into what the PKCE verifier of a login is sealed: its own row alone. */
export function verifierPlace(stateHash: Uint8Array): SealPlace {
  return sealPlace('sso_logins', { state_hash: Buffer.from(stateHash).toString('hex') });
}
