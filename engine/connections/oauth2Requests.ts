import type { Configuration } from 'openid-client';
import { isIssuerOf, type OAuth2Settings, type OAuth2Tokens } from '../../domain/app/oauth2.ts';

/** Returns the fetch for requests to a provider, limited to hosts that the workspace may reach. */
export type FetchOf = (appId: string, workspaceId: string) => typeof fetch;

export interface OAuth2Client {
  workspaceId: string;
  appId: string;
  settings: OAuth2Settings;
}

export interface Authorizing {
  redirectUri: string;
  state: string;
  /** For PKCE. */
  verifier: string;
}

interface Asking {
  auth?: 'basic' | 'post';
  issuer?: string | undefined;
  timeoutMs?: number;
}

/** The provider refused; `code` is its error. The message contains no token and no secret. */
export class OAuth2Refused extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`The provider answered ${code}`, options);
    this.code = code;
  }
}

/** The issuer in the answer differs from the one that the person was sent to. */
export class OAuth2IssuerMismatch extends Error {}

/** There was no answer, or an invalid one: a retry may succeed. */
export class OAuth2Unavailable extends Error {}

const MAX_CODE_LENGTH = 100;

export class OAuth2Requests {
  readonly #fetchOf: FetchOf;
  readonly #timeoutMs: number;

  constructor({ fetchOf, timeoutMs }: { fetchOf: FetchOf; timeoutMs: number }) {
    this.#fetchOf = fetchOf;
    this.#timeoutMs = timeoutMs;
  }

  async newSecrets(): Promise<Pick<Authorizing, 'state' | 'verifier'>> {
    const { randomPKCECodeVerifier, randomState } = await import('openid-client');
    return { state: randomState(), verifier: randomPKCECodeVerifier() };
  }

  async authorizationUrl(client: OAuth2Client, { redirectUri, state, verifier }: Authorizing): Promise<URL> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
    const { scopes, scopeSeparator = ' ' } = client.settings;
    return buildAuthorizationUrl(await this.#configuration(client), {
      redirect_uri: redirectUri,
      response_type: 'code',
      ...(scopes === '' ? {} : { scope: scopes.replaceAll(' ', scopeSeparator) }),
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /** Exchanges the returned code for tokens. Throws like `renew`, and OAuth2IssuerMismatch. */
  async exchange(
    client: OAuth2Client,
    returned: Readonly<Record<string, string>>,
    { redirectUri, state, verifier }: Authorizing,
  ): Promise<OAuth2Tokens> {
    const { iss, error } = returned;
    // Check before sending anything: the code of an honest provider must not reach another one.
    if (iss !== undefined && !isIssuerOf(client.settings.authorizationUrl ?? '', iss)) {
      throw new OAuth2IssuerMismatch('The answer names another issuer');
    }
    if (error !== undefined) throw new OAuth2Refused(error.slice(0, MAX_CODE_LENGTH));
    const { authorizationCodeGrant } = await import('openid-client');
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(returned)) url.searchParams.set(name, value);
    return this.#tokens(client, undefined, iss, (configuration) =>
      authorizationCodeGrant(configuration, url, { pkceCodeVerifier: verifier, expectedState: state }),
    );
  }

  /** Gets tokens by a refresh token or client credentials. Throws OAuth2Refused, OAuth2Unavailable. */
  async renew(client: OAuth2Client, present: Partial<OAuth2Tokens> | undefined): Promise<OAuth2Tokens> {
    const { clientCredentialsGrant, refreshTokenGrant } = await import('openid-client');
    const { grant, scopes } = client.settings;
    return this.#tokens(client, present?.clientAuth, undefined, (configuration) =>
      grant === 'clientCredentials'
        ? clientCredentialsGrant(configuration, scopes === '' ? {} : { scope: scopes })
        : refreshTokenGrant(configuration, present?.refreshToken ?? ''),
    );
  }

  /**
   * Sends the client's secret by HTTP Basic (RFC 6749, 2.3.1). Some providers accept it only in the body, so that is
   * tried once and remembered; a refused client has used up nothing. Both attempts share the timeout of one call,
   * because a refresh longer than its lease would run twice.
   */
  async #tokens(
    client: OAuth2Client,
    known: OAuth2Tokens['clientAuth'],
    issuer: string | undefined,
    ask: (configuration: Configuration) => Promise<{
      access_token: string;
      refresh_token?: string | undefined;
      expires_in?: number | undefined;
    }>,
  ): Promise<OAuth2Tokens> {
    const askedAt = Date.now();
    const first = known ?? 'basic';
    const attempt = async (auth: 'basic' | 'post') => {
      const leftMs = Math.max(askedAt + this.#timeoutMs - Date.now(), 1);
      const configuration = await this.#configuration(client, { auth, issuer, timeoutMs: leftMs });
      const { access_token, refresh_token, expires_in } = await ask(configuration).catch(said);
      return {
        accessToken: access_token,
        ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
        ...(expires_in === undefined ? {} : { expiresAt: askedAt + expires_in * 1_000, lastsMs: expires_in * 1_000 }),
        ...(client.settings.clientSecret === undefined ? {} : { clientAuth: auth }),
      };
    };
    try {
      return await attempt(first);
    } catch (error) {
      const isOurs = error instanceof OAuth2Refused && error.code === 'invalid_client';
      if (!isOurs || known !== undefined || client.settings.clientSecret === undefined) throw error;
      return attempt('post');
    }
  }

  async #configuration(
    { workspaceId, appId, settings }: OAuth2Client,
    { auth = 'basic', issuer, timeoutMs = this.#timeoutMs }: Asking = {},
  ): Promise<Configuration> {
    const openid = await import('openid-client');
    const { authorizationUrl, tokenUrl, clientId, clientSecret } = settings;
    const by =
      clientSecret === undefined
        ? openid.None()
        : auth === 'basic'
          ? openid.ClientSecretBasic(clientSecret)
          : openid.ClientSecretPost(clientSecret);
    const server = {
      issuer: issuer ?? new URL(authorizationUrl ?? tokenUrl).origin,
      token_endpoint: tokenUrl,
      ...(authorizationUrl === undefined ? {} : { authorization_endpoint: authorizationUrl }),
    };
    const configuration = new openid.Configuration(server, clientId, clientSecret, by);
    configuration.timeout = timeoutMs / 1_000;
    const asked = this.#fetchOf(appId, workspaceId);
    configuration[openid.customFetch] = async (url, options) =>
      asOAuth2(await asked(url, options as Parameters<typeof fetch>[1]));
    // Only loopback gets here without TLS (domain/app/oauth2.ts).
    if ([authorizationUrl, tokenUrl].some((url) => url?.startsWith('http:')))
      openid.allowInsecureRequests(configuration);
    return configuration;
  }
}

/**
 * Normalizes the answer of a token endpoint. Drops the ID token, because the person's identity does not matter here.
 * Some providers report an error with status 200, or omit the type of a bearer token. Slack names its owner there.
 */
async function asOAuth2(response: Response): Promise<Response> {
  const text = await response.text();
  const headers = new Headers({ 'content-type': response.headers.get('content-type') ?? '' });
  let status = response.status;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text === '' ? null : text, { status, headers });
  }
  if (typeof body !== 'object' || body === null) return new Response(text, { status, headers });
  const { id_token: _, ...rest } = body as Record<string, unknown>;
  if (typeof rest.error === 'string' && status < 400) status = 400;
  if (typeof rest.access_token === 'string' && isPlainToken(rest.token_type)) rest.token_type = 'bearer';
  return new Response(JSON.stringify(rest), { status, headers: { 'content-type': 'application/json' } });
}

const isPlainToken = (type: unknown): boolean => type === undefined || type === 'bot' || type === 'user';

/** Names the failure without the provider's text, which may repeat what was sent. */
async function said(error: unknown): Promise<never> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await import('openid-client');
  if (error instanceof ResponseBodyError) throw new OAuth2Refused(error.error.slice(0, MAX_CODE_LENGTH));
  if (error instanceof WWWAuthenticateChallengeError) throw new OAuth2Refused('invalid_client');
  const cause = innermost(error);
  throw new OAuth2Unavailable(cause instanceof Error ? cause.message : 'no answer');
}

function innermost(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}
