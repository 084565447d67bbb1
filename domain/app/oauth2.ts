import type { DeploymentClient } from './deploymentClient.ts';
import type { ConnectionType } from './manifest.ts';

/** A connection by OAuth2. Its sealed credentials contain both the user's input and the provider's tokens. */
export interface OAuth2Settings {
  grant: 'authorizationCode' | 'clientCredentials';
  /** Absent for clientCredentials. */
  authorizationUrl: string | undefined;
  tokenUrl: string;
  /** Separated by spaces; may be empty. */
  scopes: string;
  scopeSeparator?: ',';
  clientId: string;
  /** Absent for a public client, which authenticates with PKCE only. */
  clientSecret: string | undefined;
}

/** The members of the credentials that the platform adds, never the user. */
export interface OAuth2Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds; absent if the provider gives no expiry. */
  expiresAt?: number;
  /** The token's total lifetime. */
  lastsMs?: number;
  /** How the client authenticates at the token endpoint; absent until known. */
  clientAuth?: 'basic' | 'post';
}

const TOKEN_KEYS = ['accessToken', 'refreshToken', 'expiresAt', 'lastsMs', 'clientAuth', 'formerAccessToken'] as const;

export function isTokenKey(key: string): boolean {
  return (TOKEN_KEYS as readonly string[]).includes(key);
}

export const TOKEN_SECRETS = ['accessToken', 'refreshToken', 'formerAccessToken'] as const;

/** The message starts with the field's name. */
export class WrongOAuth2 extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The options of a connection's field `grant`. */
export const OAUTH2_GRANTS = [
  { value: 'authorizationCode', label: 'A person authorizes in the browser' },
  { value: 'clientCredentials', label: 'The client itself' },
];

/** The default follows from the addresses of the type. */
export function grantOf({ oauth2 }: ConnectionType, { grant }: Readonly<Record<string, unknown>>): string {
  if (typeof grant === 'string' && grant !== '') return grant;
  return oauth2 && oauth2.authorizationUrl === undefined ? 'clientCredentials' : 'authorizationCode';
}

export function oauth2Settings(
  type: ConnectionType,
  credentials: Readonly<Record<string, string>>,
  client: DeploymentClient | undefined,
): OAuth2Settings {
  const fixed = type.oauth2;
  const given = (key: string) => (credentials[key] === '' ? undefined : credentials[key]);
  const grant = grantOf(type, credentials);
  if (grant !== 'authorizationCode' && grant !== 'clientCredentials') {
    throw new WrongOAuth2('grant', 'expected authorizationCode or clientCredentials');
  }
  const authorizationUrl = fixed?.authorizationUrl ?? given('authorizationUrl');
  if (grant === 'authorizationCode' && fixed && authorizationUrl === undefined) {
    throw new WrongOAuth2('grant', 'expected clientCredentials: the app has no address for authorizations');
  }
  if (grant === 'authorizationCode') requireAddress('authorizationUrl', authorizationUrl);
  const tokenUrl = fixed?.tokenUrl ?? given('tokenUrl');
  const clientId = given('clientId') ?? client?.clientId;
  if (clientId === undefined)
    throw new WrongOAuth2('clientId', 'required: expected the id of a client of the provider');
  const isOwn = given('clientId') !== undefined;
  const clientSecret = isOwn ? given('clientSecret') : client?.clientSecret;
  if (grant === 'clientCredentials' && clientSecret === undefined) {
    throw new WrongOAuth2('clientSecret', 'required for the grant clientCredentials');
  }
  return {
    grant,
    authorizationUrl: grant === 'authorizationCode' ? authorizationUrl : undefined,
    tokenUrl: requireAddress('tokenUrl', tokenUrl),
    scopes: readScopes(given('scopes') ?? (isOwn ? undefined : client?.scopes) ?? fixed?.scopes ?? ''),
    clientId,
    clientSecret,
    ...(fixed?.scopeSeparator === undefined ? {} : { scopeSeparator: fixed.scopeSeparator }),
  };
}

/** A token is worth as much as a password, so it is sent only over TLS or to the same machine. */
export function oauth2AddressProblem(text: string | undefined): string | undefined {
  if (text === undefined) return 'required: expected an https address';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url && isSecure && url.username === '' && url.password === '' && url.hash === '') return undefined;
  return 'expected an https address (http only on loopback) without user, password and fragment';
}

function requireAddress(field: string, text: string | undefined): string {
  const problem = oauth2AddressProblem(text);
  if (text === undefined || problem !== undefined) throw new WrongOAuth2(field, problem ?? 'required');
  return text;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function readScopes(text: string): string {
  let names: unknown = text.split(/[\s,]+/);
  if (text.trimStart().startsWith('[')) {
    try {
      names = JSON.parse(text);
    } catch {
      names = undefined;
    }
  }
  if (
    !Array.isArray(names) ||
    !names.every((each) => typeof each === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]*$/.test(each))
  ) {
    throw new WrongOAuth2('scopes', 'expected names of scopes, separated by spaces or as a list of texts');
  }
  return names.filter((each) => each !== '').join(' ');
}

/** RFC 9207: an issuer in the provider's response must be the server that the user was sent to. */
export function isIssuerOf(authorizationUrl: string, iss: string): boolean {
  return URL.canParse(iss) && new URL(iss).origin === new URL(authorizationUrl).origin;
}

export function withoutTokens(credentials: Readonly<Record<string, string>>): Record<string, string> {
  const tokens: readonly string[] = TOKEN_KEYS;
  return Object.fromEntries(Object.entries(credentials).filter(([key]) => !tokens.includes(key)));
}

/** Removes what renews an access token: code outside Perdure gets the token alone. */
export function withoutRenewal(credentials: Readonly<Record<string, string>>): Record<string, string> {
  if (credentials.accessToken === undefined) return { ...credentials };
  const { refreshToken: _1, formerAccessToken: _2, clientSecret: _3, ...others } = credentials;
  return others;
}

/** A provider that does not rotate the refresh token leaves it out. */
export function withTokens(
  credentials: Readonly<Record<string, string>>,
  { accessToken, refreshToken, expiresAt, lastsMs, clientAuth }: OAuth2Tokens,
): Record<string, string> {
  const kept = refreshToken ?? credentials.refreshToken;
  const auth = clientAuth ?? credentials.clientAuth;
  const former = credentials.accessToken;
  return {
    ...withoutTokens(credentials),
    accessToken,
    ...(kept === undefined ? {} : { refreshToken: kept }),
    ...(expiresAt === undefined ? {} : { expiresAt: String(expiresAt) }),
    ...(lastsMs === undefined ? {} : { lastsMs: String(lastsMs) }),
    ...(auth === undefined ? {} : { clientAuth: auth }),
    // A call that is still running may return the old token in its response, so it stays masked.
    ...(former === undefined || former === accessToken ? {} : { formerAccessToken: former }),
  };
}

export function tokensOf(credentials: Readonly<Record<string, string>>): OAuth2Tokens | undefined {
  const { accessToken, refreshToken, expiresAt, lastsMs, clientAuth } = credentials;
  if (accessToken === undefined) return undefined;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
    ...(lastsMs === undefined ? {} : { lastsMs: Number(lastsMs) }),
    ...(clientAuth === 'basic' || clientAuth === 'post' ? { clientAuth } : {}),
  };
}

/** A tenth of the lifetime, because a token that lasts a minute would otherwise be refreshed with every use. */
const PART = 10;

/** Limited to a tenth of the token's lifetime. A token could expire while it is sent. */
export function endsWithin(
  { expiresAt, lastsMs = Number.POSITIVE_INFINITY }: OAuth2Tokens,
  ms: number,
  now: number,
): boolean {
  return expiresAt !== undefined && expiresAt - now < Math.min(ms, lastsMs / PART);
}

/** Provider codes that no retry can fix: somebody must authorize again or correct the client. */
const NO_MORE = new Set([
  ...['invalid_grant', 'invalid_client', 'unauthorized_client'],
  // Names of Slack, and of GitHub.
  ...['invalid_refresh_token', 'token_revoked', 'token_expired', 'account_inactive', 'invalid_client_id'],
  ...['bad_client_secret', 'bad_refresh_token', 'incorrect_client_credentials'],
]);

export function isNoMore(code: string): boolean {
  return NO_MORE.has(code);
}
