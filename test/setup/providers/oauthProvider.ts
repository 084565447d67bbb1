import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { Browser } from '../browser/browser.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';

export const OAUTH_CLIENT = { clientId: 'perdure-app', clientSecret: 'a-secret-of-the-app-8842' };

/** A real OAuth2 provider on loopback, with rotation of refresh tokens, and an API for its access tokens. */
export interface OAuthProvider {
  issuer: string;
  credentials: Record<string, unknown>;
  /** Requests to the token endpoint by grant, including failed ones. */
  asked: Record<string, number>;
  given: string[];
  /** Access tokens that the API received, valid or not. */
  seen: string[];
  accessTokenSeconds: number;
  hold: ((grant: string) => Promise<void>) | undefined;
  denies: boolean;
  /** Replaces `iss` in the responses to the browser. */
  iss: string | undefined;
  /** Revokes all issued tokens and rejects every refresh token. */
  revokeAll(): void;
  revokeAccess(): void;
  browser: Browser;
  /** Takes the browser through our page, if it begins there, and through the provider, to the callback's address. */
  authorize(authorizationUrl: string): Promise<URL>;
  comeBack(back: URL): Promise<Response>;
  close(): Promise<void>;
}

/** Clicks the button of our page in that browser and returns the provider's address. Any other address is unchanged. */
export async function spendTicket(browser: Browser, authorizationUrl: string): Promise<string> {
  const { origin, searchParams } = new URL(authorizationUrl);
  const ticket = searchParams.get('ticket');
  if (ticket === null) return authorizationUrl;
  const begin = new URL('/api/connections/oauth2/begin', origin);
  const answer = await browser.visit(begin, { method: 'POST', json: { ticket } });
  if (answer.status !== 200) throw new Error(`the ticket was answered with ${answer.status}`);
  return ((await answer.json()) as { authorizationUrl: string }).authorizationUrl;
}

interface Answered {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface OAuthProviderOptions {
  redirectUri: string;
  accessTokenSeconds?: number;
  auth?: 'client_secret_basic' | 'client_secret_post';
  scopes?: string[];
  routes?: { authorization: string; token: string };
  /** The API's response to a valid token. Default: repeats the received token. */
  respond?: (request: IncomingMessage) => Answered;
  /** The API's response to any other token. Default: 401. */
  refuse?: Answered;
  /** Replaces the answers of the token endpoint. */
  tokenAnswer?: (status: number, body: Record<string, unknown>) => Answered;
  keepOpen?: boolean;
}

/** `redirectUri`: the address to which it returns people. */
export async function startOAuthProvider({
  redirectUri,
  accessTokenSeconds = 600,
  auth = 'client_secret_basic',
  keepOpen = false,
  scopes = ['accounts'],
  routes = { authorization: '/auth', token: '/token' },
  respond,
  refuse,
  tokenAnswer = (status, body) => ({ status, body }),
}: OAuthProviderOptions): Promise<OAuthProvider> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const revoked = new Set<string>();
  let refuses = false;

  const own: OAuthProvider = {
    issuer,
    credentials: {
      grant: 'authorizationCode',
      authorizationUrl: `${issuer}${routes.authorization}`,
      tokenUrl: `${issuer}${routes.token}`,
      scopes: scopes.join(' '),
      ...OAUTH_CLIENT,
      allowedHosts: [issuer.slice('http://'.length)],
    },
    asked: {},
    given: [],
    seen: [],
    accessTokenSeconds,
    hold: undefined,
    denies: false,
    iss: undefined,
    browser: new Browser(),
    revokeAll() {
      refuses = true;
      own.revokeAccess();
    },
    revokeAccess() {
      for (const token of own.given) revoked.add(token);
    },
    async authorize(authorizationUrl) {
      refuses = false;
      const isBack = (url: URL) => url.href.startsWith(redirectUri);
      const back = await own.browser.follow(await spendTicket(own.browser, authorizationUrl), isBack);
      if (own.iss !== undefined) back.searchParams.set('iss', own.iss);
      return back;
    },
    comeBack: (back) => own.browser.visit(back),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  if (!keepOpen) onTestFinished(own.close);

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OAUTH_CLIENT.clientId,
        client_secret: OAUTH_CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        token_endpoint_auth_method: auth,
      },
    ],
    scopes,
    routes,
    features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    ttl: {
      ...{ Session: 600, Interaction: 600, Grant: 6_000, RefreshToken: 6_000, AuthorizationCode: 60 },
      AccessToken: () => own.accessTokenSeconds,
      ClientCredentials: () => own.accessTokenSeconds,
    },
  });
  provider.use(async (context, next) => {
    await next();
    if (context.path !== routes.token) return;
    const grant = String((context.oidc?.params as { grant_type?: unknown } | undefined)?.grant_type);
    own.asked[grant] = (own.asked[grant] ?? 0) + 1;
    const body = context.body as { access_token?: string; refresh_token?: string } | undefined;
    if (refuses && grant !== 'authorization_code') {
      const { status, body: refused } = tokenAnswer(400, { error: 'invalid_grant' });
      context.status = status;
      context.body = refused as object;
      return;
    }
    for (const token of [body?.access_token, body?.refresh_token]) if (token !== undefined) own.given.push(token);
    const answered = tokenAnswer(context.status, { ...body });
    context.status = answered.status;
    context.body = answered.body as object;
    await own.hold?.(grant);
  });
  const answerApi = async (request: IncomingMessage, response: ServerResponse) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    own.seen.push(token);
    const found =
      (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token)) ?? undefined;
    const isGood = found !== undefined && !found.isExpired && !revoked.has(token);
    // Some services repeat the credentials that they received.
    const repeated = { isGood, authorization: request.headers.authorization ?? null };
    const answered = isGood ? respond?.(request) : refuse;
    const { status, headers, body }: Answered = answered ?? { status: isGood ? 200 : 401, body: repeated };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const handle = provider.callback();
  listener = async (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (own.denies) return provider.interactionFinished(request, response, { error: 'access_denied' });
      if (prompt.name === 'login') {
        return provider.interactionFinished(request, response, { login: { accountId: 'ann', remember: false } });
      }
      const grant = new provider.Grant({ accountId: String(session?.accountId), clientId: String(params.client_id) });
      grant.addOIDCScope(scopes.join(' '));
      const consent = { grantId: await grant.save() };
      return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
    }
    if (request.url?.startsWith('/api/') && request.url !== routes.token) return answerApi(request, response);
    return handle(request, response);
  };
  return own;
}
