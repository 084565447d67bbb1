import type { DeploymentClient } from './deploymentClient.ts';
import type { ConnectionType } from './manifest.ts';

/**
 * A connection by OAuth2: its credentials are what the person gave, beside the tokens that the provider gave. All of it is
 * sealed together.
 */
export interface OAuth2Settings {
  grant: 'authorizationCode' | 'clientCredentials';
  /** Absent for clientCredentials. */
  authorizationUrl: string | undefined;
  tokenUrl: string;
  /** With spaces between them; may be empty. */
  scopes: string;
  clientId: string;
  /** Absent: a public client, which proves itself by PKCE alone. */
  clientSecret: string | undefined;
}

/** The members of the credentials that the platform adds: never a person's own. */
export interface OAuth2Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds; absent where the provider says none. */
  expiresAt?: number;
  /** Beside it: how long it lasts as a whole. */
  lastsMs?: number;
  /** How the client proves itself at the token endpoint, once it is known. */
  clientAuth?: 'basic' | 'post';
}

const TOKEN_KEYS = ['accessToken', 'refreshToken', 'expiresAt', 'lastsMs', 'clientAuth', 'formerAccessToken'] as const;

/** Those of them that nobody may read. */
export const TOKEN_SECRETS = ['accessToken', 'refreshToken', 'formerAccessToken'] as const;

/** Fields that cannot be used; the message names the field first. */
export class WrongOAuth2 extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * What the flow needs: of the fields that the person filled in, of the app's own addresses, and of the deployment's client.
 * Throws WrongOAuth2.
 */
export function oauth2Settings(
  type: ConnectionType,
  credentials: Readonly<Record<string, string>>,
  client: DeploymentClient | undefined,
): OAuth2Settings {
  const fixed = type.oauth2;
  const given = (key: string) => (credentials[key] === '' ? undefined : credentials[key]);
  const grant = fixed ? 'authorizationCode' : (given('grant') ?? 'authorizationCode');
  if (grant !== 'authorizationCode' && grant !== 'clientCredentials') {
    throw new WrongOAuth2('grant', 'expected authorizationCode or clientCredentials');
  }
  const authorizationUrl = fixed?.authorizationUrl ?? given('authorizationUrl');
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
  };
}

/** A token is worth as much as a password: it goes over TLS, or does not leave the machine. */
function requireAddress(field: string, text: string | undefined): string {
  if (text === undefined) throw new WrongOAuth2(field, 'required: expected an https address');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSecure || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new WrongOAuth2(
      field,
      'expected an https address (http on loopback alone) without user, password and fragment',
    );
  }
  return text;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** A list as JSON, or texts with spaces or commas between them. */
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
    throw new WrongOAuth2('scopes', 'expected names of scopes, with spaces between them or as a list of texts');
  }
  return names.filter((each) => each !== '').join(' ');
}

/** The issuer that answered, where it named itself, must be at the address to which the person was sent (RFC 9207). */
export function isIssuerOf(authorizationUrl: string, iss: string): boolean {
  return URL.canParse(iss) && new URL(iss).origin === new URL(authorizationUrl).origin;
}

/** The credentials as the person gave them, without any token. */
export function withoutTokens(credentials: Readonly<Record<string, string>>): Record<string, string> {
  const tokens: readonly string[] = TOKEN_KEYS;
  return Object.fromEntries(Object.entries(credentials).filter(([key]) => !tokens.includes(key)));
}

/** With new tokens; a provider that does not rotate the refresh token leaves it out. */
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
    // An unfinished call may still bring it back in its answer.
    ...(former === undefined || former === accessToken ? {} : { formerAccessToken: former }),
  };
}

/** The tokens among the credentials; undefined where there are none yet. */
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

/** One that lasts a minute would otherwise be refreshed with each use. */
const PART = 10;

/** Whether the access token ends within that time, or a tenth of its own: it might end on its way. */
export function endsWithin(
  { expiresAt, lastsMs = Number.POSITIVE_INFINITY }: OAuth2Tokens,
  ms: number,
  now: number,
): boolean {
  return expiresAt !== undefined && expiresAt - now < Math.min(ms, lastsMs / PART);
}

/** Codes of a provider after which no repetition helps: somebody must authorize, or correct the client. */
const NO_MORE = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

export function isNoMore(code: string): boolean {
  return NO_MORE.has(code);
}
