import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const CLIENT = { clientId: 'perdure', clientSecret: 'a secret of the client' };

/** The provider's claims about a person; `sub` identifies them. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** A real OpenID provider on loopback that logs every visitor in at once. */
export interface IdentityProvider {
  issuer: string;
  /** The person who logs in from now on; null: the person denies the login. */
  person: ProviderPerson | null;
  /** Replaces the claims and the signer of the ID token. */
  forge: ((claims: JWTPayload) => Forged) | undefined;
  /** Responds instead of the provider if it returns true. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
  rotateKeys(): Promise<void>;
  /** Accepts the client with this redirect URI. Before, the provider responds with 503. */
  serve(redirectUri: string): Promise<void>;
  close(): Promise<void>;
}

export interface Forged {
  claims: JWTPayload;
  byStranger?: boolean;
}

/** `tellsInIdToken`: the ID token contains e-mail and name, otherwise only the userinfo endpoint returns them. */
export async function startIdentityProvider({ tellsInIdToken = true } = {}): Promise<IdentityProvider> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer(async (request, response) => {
    if (!(await own.instead?.(request, response))) listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let redirectUri = '';
  let keys = await makeKeys();
  const stranger = await makeKeys();
  const people = new Map<string, ProviderPerson>();

  const own: IdentityProvider = {
    issuer,
    person: null,
    forge: undefined,
    instead: undefined,
    async rotateKeys() {
      keys = await makeKeys();
      await own.serve(redirectUri);
    },
    async serve(uri) {
      redirectUri = uri;
      listener = listenerOf();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function listenerOf(): RequestListener {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [keys.jwk] },
      conformIdTokenClaims: !tellsInIdToken,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => ({ ...people.get(accountId), sub: accountId }),
      }),
      cookies: { keys: ['for tests'] },
      ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (!own.forge || body?.id_token === undefined) return;
      const standard = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString());
      const { claims, byStranger = false } = own.forge(standard);
      const signer = byStranger ? stranger : keys;
      const header = { alg: 'RS256', kid: byStranger ? stranger.jwk.kid : keys.jwk.kid };
      body.id_token = await new SignJWT(claims).setProtectedHeader(header).sign(signer.privateKey);
    });
    const handle = provider.callback();
    return async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return handle(request, response);
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      const { person } = own;
      if (!person) return provider.interactionFinished(request, response, { error: 'access_denied' });
      if (prompt.name === 'login') {
        people.set(person.sub, person);
        const login = { accountId: person.sub, remember: false };
        return provider.interactionFinished(request, response, { login });
      }
      const grant = new provider.Grant({ accountId: String(session?.accountId), clientId: String(params.client_id) });
      grant.addOIDCScope('openid email profile');
      const consent = { grantId: await grant.save() };
      return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
    };
  }
  return own;
}

async function makeKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { privateKey, jwk: { ...jwk, alg: 'RS256', use: 'sig', kid: crypto.randomUUID() } };
}
