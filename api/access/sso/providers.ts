import type { Config } from '../../../config.ts';
import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';
import { Problem } from '../../../domain/problem.ts';
import { type SealPlace, sealPlace } from '../../../engine/secrets/sealPlace.ts';
import type { Services } from '../../services.ts';

/** Throws NOT_FOUND. */
export function requireProvider({ sso }: Pick<Services, 'sso'>, providerId: string): SsoProvider {
  const provider = sso.find(providerId);
  if (!provider) throw new Problem('NOT_FOUND', 'The identity provider does not exist');
  return provider;
}

/** Where a provider sends people back to, as it is registered there: by PUBLIC_URL, without one as the browser came. */
export function callbackUrl(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  headers: Record<string, string | undefined>,
  providerId: string,
): URL {
  const base = PUBLIC_URL ?? `http://${headers.host ?? 'localhost'}`;
  const url = `${base.replace(/\/+$/, '')}/api/auth/sso/${providerId}/callback`;
  if (!URL.canParse(url)) throw new Problem('VALIDATION_FAILED', 'The header Host is not a valid host');
  return new URL(url);
}

/** The place of a login's sealed PKCE verifier: its own row. */
export function verifierPlace(stateHash: Uint8Array): SealPlace {
  return sealPlace('sso_logins', { state_hash: Buffer.from(stateHash).toString('hex') });
}
