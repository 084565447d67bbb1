import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { v7 } from 'uuid';
import { normalizeEmail } from '../../../domain/access/emailAddress.ts';
import { domainOf, type SsoProvider } from '../../../domain/access/ssoProvider.ts';
import { joinByIdentity } from '../../../prisma/store/identity/joinByIdentity.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { insertSsoLogin, takeSsoLogin } from '../../../prisma/store/ssoLogin/ssoLogins.ts';
import { browserToken, newBrowserToken } from '../../access/browserCookie.ts';
import { callbackUrl } from '../../access/callbackUrl.ts';
import { makeLoginToken } from '../../access/loginToken.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { redirectToProvider, returnToClient, type SsoFailure, ssoCookie } from '../../access/sso/browser.ts';
import { proveIdentity, type SsoClaims, SsoDenied } from '../../access/sso/proveIdentity.ts';
import { callbackPath, requireProvider, verifierPlace } from '../../access/sso/providers.ts';
import { isAway } from '../../access/sso/ssoClients.ts';
import { type OperationRequest, Page, type PublicOperation } from '../../operation.ts';
import type { Services } from '../../services.ts';

/** Public fields only: no secrets, no workspaces. */
export const listSsoProviders: PublicOperation<'listSsoProviders'> = async ({ query, services: { config } }) => {
  const { items, nextCursor } = pageOfAll('providers', config.SSO_PROVIDERS, ({ id }) => id, query);
  const shown = items.map(({ id, name, issuer, clientId, ssoEnforced, passwordAuthDisabled }) => ({
    id,
    name,
    issuer,
    clientId,
    ssoEnforced,
    passwordAuthDisabled,
    loginUrl: `/api/auth/sso/${id}/login`,
  }));
  return new Page(shown, nextCursor);
};

export const startSsoLogin: PublicOperation<'startSsoLogin'> = async ({ params, headers, services }) => {
  const { config, database, sealer, sso, log } = services;
  const provider = requireProvider(services, params.providerId);
  let client: Awaited<ReturnType<typeof sso.clientOf>>;
  try {
    client = await sso.clientOf(provider);
  } catch (error) {
    log.warn({ err: error, providerId: provider.id }, 'an identity provider does not answer');
    return returnToClient(config, { error: 'SSO_UNAVAILABLE' });
  }
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const browser = browserToken(headers, ssoCookie(config)) ?? newBrowserToken();
  const stateHash = hashToken(state);
  const { sealed, keyId } = sealer.seal(verifierPlace(stateHash), verifier);
  await insertSsoLogin(database, {
    stateHash,
    browserHash: hashToken(browser),
    providerId: provider.id,
    nonce,
    codeVerifier: sealed,
    keyId,
    expiresAt: new Date(Date.now() + config.SSO_LOGIN_TTL),
  });
  const url = buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(config.PUBLIC_URL, headers, callbackPath(provider)).href,
    scope: 'openid email profile',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return redirectToProvider(url, browser, config);
};

/** Lifetime of the hidden token: the browser uses it immediately. */
const TOKEN_MS = 60_000;

export const finishSsoLogin: PublicOperation<'finishSsoLogin'> = async (request) => {
  const { config, database } = request.services;
  const provider = requireProvider(request.services, request.params.providerId);
  const claims = await claimsOf(request, provider);
  if ('error' in claims) return returnToClient(config, claims);
  const joined = await join(request.services, provider, claims);
  if ('error' in joined) return returnToClient(config, joined);
  const expiresAt = new Date(Date.now() + TOKEN_MS);
  const token = await makeLoginToken(database, provider.workspaceId, {
    userId: joined.userId,
    asksSecondFactor: false,
    expiresAt,
  });
  return returnToClient(config, { token });
};

async function claimsOf(
  { query, headers, services }: Pick<OperationRequest<'finishSsoLogin'>, 'query' | 'headers' | 'services'>,
  provider: SsoProvider,
): Promise<SsoClaims | { error: SsoFailure }> {
  const { config, database, sealer, sso, log } = services;
  const { state } = query as { state?: unknown };
  const browser = browserToken(headers, ssoCookie(config));
  if (typeof state !== 'string' || browser === undefined) return { error: 'SSO_STATE_INVALID' };
  const stateHash = hashToken(state);
  const login = await takeSsoLogin(database, {
    stateHash,
    browserHash: hashToken(browser),
    providerId: provider.id,
  });
  if (!login) return { error: 'SSO_STATE_INVALID' };
  const url = callbackUrl(config.PUBLIC_URL, headers, callbackPath(provider));
  for (const [name, value] of Object.entries(query)) if (typeof value === 'string') url.searchParams.set(name, value);
  const codeVerifier = sealer.open(verifierPlace(stateHash), { sealed: login.codeVerifier, keyId: login.keyId });
  try {
    return await proveIdentity(sso, provider, { url, state, login, codeVerifier });
  } catch (error) {
    log.warn({ err: error, providerId: provider.id }, 'a login by single sign-on failed');
    if (isAway(error)) return { error: 'SSO_UNAVAILABLE' };
    return { error: error instanceof SsoDenied ? 'SSO_DENIED' : 'SSO_FAILED' };
  }
}

/** A known identity of the provider stays the same user, even with another e-mail address. */
async function join(
  { database }: Services,
  provider: SsoProvider,
  { issuer, subject, email: claimedEmail, isEmailVerified, name }: SsoClaims,
): Promise<{ userId: string } | { error: SsoFailure }> {
  const email = claimedEmail === undefined ? undefined : normalizeEmail(claimedEmail);
  const isOurs = email !== undefined && provider.domains.includes(domainOf(email));
  const newcomer =
    isOurs && isEmailVerified ? { id: v7(), email, name: name ?? email, role: provider.defaultRole } : undefined;
  const proved = { providerId: provider.id, issuer, subject, newcomer };
  const userId = await joinByIdentity(database, provider.workspaceId, proved);
  if (userId !== undefined) return { userId };
  return { error: isOurs && !isEmailVerified ? 'SSO_EMAIL_UNVERIFIED' : 'SSO_NOT_ALLOWED' };
}
