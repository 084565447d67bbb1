import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { insertSsoLogin } from '../../../prisma/store/ssoLogin/insertSsoLogin.ts';
import { hashToken } from '../../access/oneTimeToken.ts';
import { browserToken, leaveFor, newBrowserToken, returnToClient, SSO_LOGIN_MS } from '../../access/sso/browser.ts';
import { callbackUrl } from '../../access/sso/callbackUrl.ts';
import { requireProvider } from '../../access/sso/requireProvider.ts';
import { verifierPlace } from '../../access/sso/verifierPlace.ts';
import type { PublicOperation } from '../../operation.ts';

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
  const browser = browserToken(headers) ?? newBrowserToken();
  const stateHash = hashToken(state);
  const { sealed, keyId } = sealer.seal(verifierPlace(stateHash), verifier);
  await insertSsoLogin(database, {
    stateHash,
    browserHash: hashToken(browser),
    providerId: provider.id,
    nonce,
    codeVerifier: sealed,
    keyId,
    expiresAt: new Date(Date.now() + SSO_LOGIN_MS),
  });
  const url = buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(config, headers, provider.id).href,
    scope: 'openid email profile',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return leaveFor(url, browser, config);
};
