import type { Config } from '../../../config.ts';
import { Answer } from '../../operation.ts';
import { verifyTokenUrl } from '../clientUrl.ts';
import { makeOneTimeToken } from '../oneTimeToken.ts';

const COOKIE = 'perdure_sso';
const PATH = '/api/auth/sso';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token by which a browser is known again when it returns, from its cookie: people with several tabs have one. Undefined
 * where it has none.
 */
export function browserToken(headers: Record<string, string | undefined>): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === COOKIE && TOKEN.test(value)) return value;
  }
  return undefined;
}

export function newBrowserToken(): string {
  return makeOneTimeToken().token;
}

/** To the provider. The cookie goes back to nothing but single sign-on, also when the provider sends the browser here. */
export function redirectToProvider(
  url: URL,
  token: string,
  { PUBLIC_URL, SSO_LOGIN_TTL }: Pick<Config, 'PUBLIC_URL' | 'SSO_LOGIN_TTL'>,
): Answer {
  const secure = PUBLIC_URL?.startsWith('https:') ? '; Secure' : '';
  const life = SSO_LOGIN_TTL / 1_000;
  const cookie = `${COOKIE}=${token}; Path=${PATH}; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`;
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
