import { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo } from 'openid-client';
import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';
import type { TakenSsoLogin } from '../../../prisma/store/ssoLogin/ssoLogins.ts';
import { SsoAway, type SsoClients } from './ssoClients.ts';

export interface SsoClaims {
  issuer: string;
  subject: string;
  email?: string;
  isEmailVerified: boolean;
  name?: string;
}

export class SsoDenied extends Error {}

/** The 500 and 503 of redirects (RFC 6749, 4.1.2.1). */
const AWAY = new Set(['server_error', 'temporarily_unavailable']);

export interface Return {
  url: URL;
  state: string;
  login: TakenSsoLogin;
  codeVerifier: string;
}

/** Exchanges the code and validates the answer. Throws SsoDenied, SsoAway, or openid-client's errors. */
export async function proveIdentity(
  clients: SsoClients,
  provider: SsoProvider,
  { url, state, login, codeVerifier }: Return,
): Promise<SsoClaims> {
  const client = await clients.clientOf(provider);
  const tokens = await authorizationCodeGrant(client, url, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: login.nonce,
    idTokenExpected: true,
  }).catch((error: unknown) => {
    if (!(error instanceof AuthorizationResponseError)) throw error;
    throw new (AWAY.has(error.error) ? SsoAway : SsoDenied)(error.error, { cause: error });
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider gave no ID token');
  // Some providers return the e-mail address only from their userinfo endpoint.
  const asked =
    claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
      ? await fetchUserInfo(client, tokens.access_token, claims.sub)
      : claims;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    ...(typeof asked.email === 'string' ? { email: asked.email } : {}),
    isEmailVerified: asked.email_verified === true,
    ...(typeof asked.name === 'string' ? { name: asked.name } : {}),
  };
}
