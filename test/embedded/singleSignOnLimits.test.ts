// test: long
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SsoClients } from '../../api/access/sso/ssoClients.ts';
import { SSO_PROVIDER } from '../../domain/access/ssoProvider.ts';
import { Browser } from '../setup/browser/browser.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../setup/providers/identityProvider.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const CLIENT_URL = 'https://client.example/app';
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 20_000;

const DISCOVERY = '/.well-known/openid-configuration';
const TOKEN = '/token';
const KEYS = '/jwks';
const USER = '/me';

let own: OwnApi;
let provider: IdentityProvider;

beforeAll(async () => {
  // It returns e-mail addresses only at its userinfo endpoint, so all four endpoints are called.
  provider = await startIdentityProvider({ tellsInIdToken: false });
  own = await startOwnApi({
    ...{ CLIENT_URL, SSO_TIMEOUT_MS: String(TIMEOUT_MS), SSO_MAX_ANSWER_BYTES: String(MAX_BYTES) },
  });
  await provider.serve(`${own.url}/api/auth/sso/acme/callback`);
});
afterAll(async () => {
  await own?.dispose();
  await provider?.close();
});

beforeEach(() => {
  const { issuer } = provider;
  const one = { id: 'acme', name: 'acme', issuer, ...CLIENT, workspaceId: own.workspaceId, domains: ['acme.example'] };
  const providers = [SSO_PROVIDER.parse(one)];
  own.services.config.SSO_PROVIDERS = providers;
  // Nothing about the provider is cached.
  own.services.sso = new SsoClients(providers, own.services.config);
  const sub = randomUUID();
  provider.person = { sub, email: `${sub}@acme.example`, email_verified: true, name: 'Ann' };
  provider.instead = undefined;
});

const isOf = (path: string) => (request: IncomingMessage) => request.url?.split('?')[0] === path;

/** Returns the outcome of a login: `{token}` or `{error}`. */
async function arrive() {
  const url = await new Browser().follow(`${own.url}/api/auth/sso/acme/login`, ({ href }) =>
    href.startsWith(CLIENT_URL),
  );
  return Object.fromEntries(url.searchParams);
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
}

test.each([[DISCOVERY], [TOKEN], [KEYS], [USER]])(
  'an answer at %s that trickles is left when the time of the login is over',
  async (path) => {
    const left: Promise<unknown>[] = [];
    provider.instead = (request, response) => {
      if (!isOf(path)(request)) return false;
      left.push(once(response, 'close'));
      trickle(response);
      return true;
    };
    expect(await arrive()).toEqual({ error: 'SSO_UNAVAILABLE' });
    expect(left).toHaveLength(1);
    await Promise.all(left);
  },
);

test('all answers that one step of a login needs share its time', async () => {
  // Each is in time, but not both together.
  provider.instead = async (request) => {
    if (isOf(TOKEN)(request) || isOf(USER)(request)) await setTimeout(0.7 * TIMEOUT_MS);
    return false;
  };
  expect(await arrive()).toEqual({ error: 'SSO_UNAVAILABLE' });
});

test.each([
  [DISCOVERY, 503],
  [TOKEN, 502],
  [TOKEN, 429],
  [KEYS, 503],
  [USER, 500],
])(
  'a provider that is away at %s, with %i, is no provider that is set up wrongly; when it is back, the login goes on',
  async (path, status) => {
    provider.instead = (request, response) => {
      if (!isOf(path)(request)) return false;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"server_error"}');
      return true;
    };
    expect(await arrive()).toEqual({ error: 'SSO_UNAVAILABLE' });
    provider.instead = undefined;
    expect(await arrive()).toEqual({ token: expect.any(String) });
  },
);

test.each([
  ['temporarily_unavailable', 'SSO_UNAVAILABLE'],
  ['server_error', 'SSO_UNAVAILABLE'],
  ['access_denied', 'SSO_DENIED'],
])('the provider sends the person back with %s', async (said, error) => {
  provider.instead = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', provider.issuer);
    if (pathname !== '/auth') return false;
    const back = new URL(searchParams.get('redirect_uri') ?? '');
    const answer = { error: said, state: searchParams.get('state') ?? '', iss: provider.issuer };
    back.search = new URLSearchParams(answer).toString();
    response.writeHead(302, { location: back.href }).end();
    return true;
  };
  expect(await arrive()).toEqual({ error });
});

function claimsIn(bytes: number): string {
  const text = JSON.stringify(provider.person);
  return text + ' '.repeat(bytes - text.length);
}

test.each([
  [MAX_BYTES, { token: expect.any(String) }],
  [MAX_BYTES + 1, { error: 'SSO_FAILED' }],
])('an answer of %i bytes, where 20000 are allowed', async (bytes, end) => {
  provider.instead = (request, response) => {
    if (!isOf(USER)(request)) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(claimsIn(bytes));
    return true;
  };
  expect(await arrive()).toEqual(end);
});

test.each([
  [DISCOVERY, 'SSO_UNAVAILABLE'],
  [TOKEN, 'SSO_FAILED'],
  [KEYS, 'SSO_FAILED'],
  [USER, 'SSO_FAILED'],
])('an answer at %s without an end is broken off at its size', async (path, error) => {
  const broken: Promise<number>[] = [];
  provider.instead = (request, response) => {
    if (!isOf(path)(request)) return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    let written = 0;
    const piece = Buffer.alloc(65_536, ' ');
    const send = () => {
      do written += piece.length;
      while (response.write(piece) && !response.closed);
    };
    const left = once(response, 'close');
    response.on('drain', send);
    broken.push(left.then(() => written));
    send();
    return true;
  };
  expect(await arrive()).toEqual({ error });
  const [bytes] = await Promise.all(broken);
  // At most the buffers of the two sockets.
  expect(bytes).toBeLessThan(33_554_432);
});
