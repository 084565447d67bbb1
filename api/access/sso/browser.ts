import type { Config } from '../../../config.ts';
import { Answer } from '../../operation.ts';
import { type BrowserCookie, setCookie } from '../browserCookie.ts';
import { verifyTokenUrl } from '../clientUrl.ts';

/** People with several tabs have one. The browser returns it to single sign-on only, also when the provider sends it here. */
export function ssoCookie({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): BrowserCookie {
  return { name: 'perdure_sso', path: '/api/auth/sso', isSecure: PUBLIC_URL?.startsWith('https:') ?? false };
}

/** Redirects to the provider. */
export function redirectToProvider(
  url: URL,
  token: string,
  config: Pick<Config, 'PUBLIC_URL' | 'SSO_LOGIN_TTL'>,
): Answer {
  const cookie = setCookie(ssoCookie(config), token, config.SSO_LOGIN_TTL);
  return new Answer(undefined, { status: 302, headers: { location: url.href, 'set-cookie': cookie } });
}

/** Why a login by single sign-on has failed, for the page at CLIENT_URL. */
export type SsoFailure =
  /** The provider does not answer, or not as an OpenID provider does. */
  | 'SSO_UNAVAILABLE'
  /** The login is unknown here, has been used, has expired, or was begun in another browser. */
  | 'SSO_STATE_INVALID'
  /** The provider, or the person there, said no. */
  | 'SSO_DENIED'
  /** The provider's answer does not prove the identity. */
  | 'SSO_FAILED'
  /** The provider does not vouch for the e-mail address. */
  | 'SSO_EMAIL_UNVERIFIED'
  /** The e-mail address is of no domain of the provider, or the person has been removed. */
  | 'SSO_NOT_ALLOWED';

/** To the page of the deployment's client that goes on. */
export function returnToClient(
  { CLIENT_URL }: Pick<Config, 'CLIENT_URL'>,
  result: { token: string } | { error: SsoFailure },
) {
  if (CLIENT_URL === undefined) throw new Error('CLIENT_URL is missing: readConfig requires it beside SSO_PROVIDERS');
  return new Answer(undefined, { status: 302, headers: { location: verifyTokenUrl(CLIENT_URL, result).href } });
}
