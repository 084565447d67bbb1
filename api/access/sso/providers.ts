import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';
import { Problem } from '../../../domain/problem.ts';
import { type SealPlace, sealPlace } from '../../../engine/secrets/sealPlace.ts';
import type { Services } from '../../services.ts';

export function requireProvider({ sso }: Pick<Services, 'sso'>, providerId: string): SsoProvider {
  const provider = sso.find(providerId);
  if (!provider) throw new Problem('NOT_FOUND', 'The identity provider does not exist');
  return provider;
}

export function callbackPath({ id }: Pick<SsoProvider, 'id'>): string {
  return `/api/auth/sso/${id}/callback`;
}

/** The place of a login's sealed PKCE verifier, which is its own row. */
export function verifierPlace(stateHash: Uint8Array): SealPlace {
  return sealPlace('sso_logins', { state_hash: Buffer.from(stateHash).toString('hex') });
}
