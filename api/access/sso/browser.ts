import type { Config } from '../../../config.ts';
import { Answer } from '../../operation.ts';
import { type BrowserCookie, setCookie } from '../browserCookie.ts';
import { verifyTokenUrl } from '../clientUrl.ts';

/** Shared by all tabs. The browser sends it only to single sign-on, including redirects from the provider. */
export function ssoCookie({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): BrowserCookie {
  return { name: 'perdure_sso', path: '/api/auth/sso', isSecure: PUBLIC_URL?.startsWith('https:') ?? false };
}

export function redirectToProvider(
  url: URL,
  token: string,
  config: Pick<Config, 'PUBLIC_URL' | 'SSO_LOGIN_TTL'>,
): Answer {
  const cookie = setCookie(ssoCookie(config), token, config.SSO_LOGIN_TTL);
  return new Answer(undefined, { status: 302, headers: { location: url.href, 'set-cookie': cookie } });
}

export type SsoFailure =
  /** The provider does not answer, or not as an OpenID provider. */
  | 'SSO_UNAVAILABLE'
  /** The login is unknown, used, expired, or was started in another browser. */
  | 'SSO_STATE_INVALID'
  | 'SSO_DENIED'
  | 'SSO_FAILED'
  /** The provider has not verified the e-mail address. */
  | 'SSO_EMAIL_UNVERIFIED'
  /** The domain of the e-mail address is not the provider's, or the user has been removed. */
  | 'SSO_NOT_ALLOWED';

export function returnToClient(
  { CLIENT_URL }: Pick<Config, 'CLIENT_URL'>,
  result: { token: string } | { error: SsoFailure },
) {
  if (CLIENT_URL === undefined) throw new Error('CLIENT_URL is missing: readConfig requires it with SSO_PROVIDERS');
  return new Answer(undefined, { status: 302, headers: { location: verifyTokenUrl(CLIENT_URL, result).href } });
}
