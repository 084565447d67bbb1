import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SsoClients } from '../../api/access/sso/ssoClients.ts';
import { SSO_PROVIDER } from '../../domain/access/ssoProvider.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { Browser } from '../setup/browser/browser.ts';
import {
  CLIENT,
  type Forged,
  type IdentityProvider,
  startIdentityProvider,
} from '../setup/providers/identityProvider.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const CLIENT_URL = 'https://client.example/app';

let own: OwnApi;
let acme: IdentityProvider;
/** Another provider, which returns e-mail addresses only at its userinfo endpoint. */
let other: IdentityProvider;

beforeAll(async () => {
  [acme, other] = await Promise.all([startIdentityProvider(), startIdentityProvider({ tellsInIdToken: false })]);
  own = await startOwnApi({ CLIENT_URL });
  configure({});
  await acme.serve(`${own.url}/api/auth/sso/acme/callback`);
  await other.serve(`${own.url}/api/auth/sso/other/callback`);
});
afterAll(async () => {
  await own?.dispose();
  await acme?.close();
  await other?.close();
});

function configure(more: object): void {
  const provider = (id: string, { issuer }: IdentityProvider, domain: string) =>
    SSO_PROVIDER.parse({ id, name: id, issuer, ...CLIENT, workspaceId: own.workspaceId, domains: [domain], ...more });
  const providers = [provider('acme', acme, 'acme.example'), provider('other', other, 'other.example')];
  own.services.config.SSO_PROVIDERS = providers;
  own.services.sso = new SsoClients(providers, own.services.config);
}

const somebody = (domain = 'acme.example') => {
  const sub = randomUUID();
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ann' };
};

beforeEach(() => {
  acme.forge = undefined;
  acme.person = somebody();
  other.person = somebody('other.example');
  configure({});
});

const loginOf = (id: string) => `${own.url}/api/auth/sso/${id}/login`;
const isCallback = ({ pathname }: URL) => pathname.endsWith('/callback');
const isClient = ({ href }: URL) => href.startsWith(CLIENT_URL);

/** Returns the outcome of a login: `{token}` or `{error}`. */
async function arrive(id = 'acme', browser = new Browser()): Promise<{ token?: string; error?: string }> {
  const url = await browser.follow(loginOf(id), isClient);
  expect(`${url.origin}${url.pathname}`).toBe(`${CLIENT_URL}/verify-token`);
  return Object.fromEntries(url.searchParams);
}

async function finish(browser: Browser, callback: string | URL) {
  const url = await browser.follow(callback, isClient);
  return Object.fromEntries(url.searchParams);
}

const exchange = (token: string | undefined) =>
  api(own.url)('POST', '/api/auth/login-with-token', { body: { token: String(token) } });

async function whoIs(token: string | undefined) {
  const { status, body } = await exchange(token);
  expect(status).toBe(200);
  return (await api(own.url, body.access_token)('GET', '/api/users/me')).body;
}

test('somebody unknown, of a domain of the provider, joins its workspace with the default role', async () => {
  const person = somebody();
  acme.person = { ...person, email: person.email.toUpperCase() };
  const { token } = await arrive();
  expect(await whoIs(token)).toMatchObject({
    email: person.email,
    name: 'Ann',
    role: 'consumer',
    workspace: { id: own.workspaceId },
    twoFactorEnabled: false,
    hasPassword: false,
    hasSingleSignOn: true,
  });
});

test('an e-mail address may be available only at the userinfo endpoint', async () => {
  const { token } = await arrive('other');
  expect(await whoIs(token)).toMatchObject({ email: other.person?.email });
});

test('a known identity stays the same person, also with a new e-mail address', async () => {
  const first = await whoIs((await arrive()).token);
  acme.person = { ...somebody('elsewhere.example'), sub: String(acme.person?.sub) };
  expect(await whoIs((await arrive()).token)).toMatchObject({ id: first.id, email: first.email });
});

test('a person of the workspace with a password is recognised by the e-mail address', async () => {
  const { email } = somebody();
  const member = { id: randomUUID(), email, name: 'Bea', passwordHash: 'x', role: 'builder' };
  await own.database.user.create({
    data: {
      id: member.id,
      email,
      name: 'Bea',
      memberships: { create: { workspaceId: own.workspaceId, role: 'builder' } },
    },
  });
  acme.person = { ...somebody(), email };
  expect(await whoIs((await arrive()).token)).toMatchObject({ id: member.id, role: 'builder', name: 'Bea' });
});

test('unproven logins under an address end once its owner logs in', async () => {
  const admin = api(own.url, own.apiKey);
  const { email } = somebody('other.example');
  const added = await admin('POST', '/api/workspace/users', { body: { email, name: 'Bea', role: 'builder' } });
  const password = 'of the pretender';
  const { body: tokens } = await api(own.url)('POST', '/api/auth/login-with-token', {
    body: { token: added.body.invitation.token, password },
    headers: fromElsewhere(),
  });
  const pretender = api(own.url, tokens.access_token);
  expect((await pretender('GET', '/api/users/me')).status).toBe(200);

  other.person = { ...somebody('other.example'), email };
  expect(await whoIs((await arrive('other')).token)).toMatchObject({ id: added.body.id, role: 'builder' });
  expect((await pretender('GET', '/api/users/me')).status).toBe(401);
  const login = await api(own.url)('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() });
  expect(login.status).toBe(401);
});

test('an invitation is accepted by single sign-on: by an unknown person and by a known one, with its role', async () => {
  const admin = api(own.url, own.apiKey);
  const invite = (email: unknown, role: string) =>
    admin('POST', '/api/workspace/users', { body: { email: String(email), role } });
  const open = () => own.database.invitation.count({ where: { email: String(acme.person?.email) } });
  expect((await invite(acme.person?.email, 'operator')).status).toBe(201);
  expect(await open()).toBe(1);
  const first = await whoIs((await arrive()).token);
  expect(first).toMatchObject({ role: 'operator', workspace: { id: own.workspaceId } });
  expect(await open()).toBe(0);

  // A removed user can return only with a new invitation, as the same user.
  expect((await admin('DELETE', `/api/workspace/users/${first.id}`)).status).toBe(200);
  expect((await arrive()).error).toBe('SSO_NOT_ALLOWED');
  expect((await invite(acme.person?.email, 'builder')).status).toBe(201);
  expect(await whoIs((await arrive()).token)).toMatchObject({ id: first.id, role: 'builder' });
  expect(await open()).toBe(0);
});

test('a removed person does not come back by the provider', async () => {
  const { id } = await whoIs((await arrive()).token);
  await own.database.workspaceUser.deleteMany({ where: { userId: id } });
  expect(await arrive()).toEqual({ error: 'SSO_NOT_ALLOWED' });
});

test('two simultaneous first logins are the same person', async () => {
  const [one, two] = await Promise.all([arrive(), arrive()]);
  const [first, second] = [await whoIs(one.token), await whoIs(two.token)];
  expect(first.id).toBe(second.id);
});

test('the hidden token is good once, for a minute', async () => {
  const { token } = await arrive();
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  const late = await arrive();
  const rows = await own.database.loginToken.findMany();
  const left = (rows.at(-1)?.expiresAt.getTime() ?? 0) - Date.now();
  expect(left).toBeLessThanOrEqual(60_000);
  expect(left).toBeGreaterThan(30_000);
  await own.database.loginToken.updateMany({ data: { expiresAt: new Date() } });
  expect((await exchange(late.token)).status).toBe(401);
});

describe('refused', () => {
  test('another domain', async () => {
    acme.person = somebody('elsewhere.example');
    expect(await arrive()).toEqual({ error: 'SSO_NOT_ALLOWED' });
  });

  test('an e-mail address that nobody vouches for', async () => {
    acme.person = { ...somebody(), email_verified: false };
    expect(await arrive()).toEqual({ error: 'SSO_EMAIL_UNVERIFIED' });
  });

  test('a person who refuses', async () => {
    acme.person = null;
    expect(await arrive()).toEqual({ error: 'SSO_DENIED' });
  });

  test('a replay of the callback', async () => {
    const browser = new Browser();
    const callback = await browser.follow(loginOf('acme'), isCallback);
    expect(await finish(browser, callback)).toHaveProperty('token');
    expect(await finish(browser, callback)).toEqual({ error: 'SSO_STATE_INVALID' });
  });

  test('a callback in a browser that did not begin the login, which stays valid for the right one', async () => {
    const browser = new Browser();
    const callback = await browser.follow(loginOf('acme'), isCallback);
    expect(await finish(new Browser(), callback)).toEqual({ error: 'SSO_STATE_INVALID' });
    const victim = new Browser();
    await victim.visit(loginOf('acme'));
    expect(await finish(victim, callback)).toEqual({ error: 'SSO_STATE_INVALID' });
    expect(await finish(browser, callback)).toHaveProperty('token');
  });

  test('a login that was begun at another provider', async () => {
    const browser = new Browser();
    const callback = await browser.follow(loginOf('acme'), isCallback);
    callback.pathname = '/api/auth/sso/other/callback';
    expect(await finish(browser, callback)).toEqual({ error: 'SSO_STATE_INVALID' });
  });

  test('an answer that names another issuer', async () => {
    const browser = new Browser();
    const callback = await browser.follow(loginOf('acme'), isCallback);
    expect(callback.searchParams.get('iss')).toBe(acme.issuer);
    callback.searchParams.set('iss', other.issuer);
    expect(await finish(browser, callback)).toEqual({ error: 'SSO_FAILED' });
  });

  test("a code of somebody else's login", async () => {
    const [mine, theirs] = [new Browser(), new Browser()];
    const callback = await mine.follow(loginOf('acme'), isCallback);
    const stolen = await theirs.follow(loginOf('acme'), isCallback);
    callback.searchParams.set('code', String(stolen.searchParams.get('code')));
    expect(await finish(mine, callback)).toEqual({ error: 'SSO_FAILED' });
  });

  test('a login that took longer than ten minutes', async () => {
    const browser = new Browser();
    const callback = await browser.follow(loginOf('acme'), isCallback);
    const [row] = await own.database.ssoLogin.findMany({ orderBy: { expiresAt: 'desc' }, take: 1 });
    expect((row?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(600_000);
    await own.database.ssoLogin.updateMany({ data: { expiresAt: new Date() } });
    expect(await finish(browser, callback)).toEqual({ error: 'SSO_STATE_INVALID' });
  });

  const now = () => Math.floor(Date.now() / 1_000);
  test.each<[string, (claims: Forged['claims']) => Forged]>([
    ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'another' } })],
    ['another audience', (claims) => ({ claims: { ...claims, aud: 'another' } })],
    ['another issuer', (claims) => ({ claims: { ...claims, iss: other.issuer } })],
    ['a time that is over', (claims) => ({ claims: { ...claims, exp: now() - 120 } })],
    ['a key of a stranger', (claims) => ({ claims, byStranger: true })],
  ])('an ID token with %s', async (_, forge) => {
    acme.forge = forge;
    expect(await arrive()).toEqual({ error: 'SSO_FAILED' });
  });

  test('a provider that does not answer', async () => {
    const gone = await startIdentityProvider();
    await gone.close();
    const provider = SSO_PROVIDER.parse({
      id: 'gone',
      name: 'Gone',
      issuer: gone.issuer,
      ...CLIENT,
      workspaceId: own.workspaceId,
    });
    own.services.sso = new SsoClients([provider], own.services.config);
    expect(await arrive('gone')).toEqual({ error: 'SSO_UNAVAILABLE' });
  });

  test('an unknown provider', async () => {
    for (const end of ['login', 'callback']) {
      const { status } = await api(own.url)('GET', `/api/auth/sso/nobody/${end}`);
      expect(status).toBe(404);
    }
  });
});

test('clocks may differ by a minute', async () => {
  acme.forge = (claims) => ({ claims: { ...claims, exp: Math.floor(Date.now() / 1_000) - 30 } });
  expect(await arrive()).toHaveProperty('token');
});

test('keys that the provider has changed are known at once', async () => {
  expect(await arrive()).toHaveProperty('token');
  await acme.rotateKeys();
  expect(await arrive()).toHaveProperty('token');
});

test('two tabs of one browser each come to their end', async () => {
  const browser = new Browser();
  const [one, two] = [
    await browser.follow(loginOf('acme'), isCallback),
    await browser.follow(loginOf('acme'), isCallback),
  ];
  expect(await finish(browser, two)).toHaveProperty('token');
  expect(await finish(browser, one)).toHaveProperty('token');
});

test('the cookie is for single sign-on alone, and no script reads it', async () => {
  const response = await new Browser().visit(loginOf('acme'));
  expect(response.status).toBe(302);
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^perdure_sso=[\w-]{43}; Path=\/api\/auth\/sso; Max-Age=600; HttpOnly; SameSite=Lax$/);
  const sent = new URL(String(response.headers.get('location')));
  expect(Object.fromEntries(sent.searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    response_type: 'code',
    scope: 'openid email profile',
  });
  const [row] = await own.database.ssoLogin.findMany({ orderBy: { expiresAt: 'desc' }, take: 1 });
  expect(JSON.stringify(row)).not.toContain(sent.searchParams.get('state'));
});

test('providers are listed without secrets, and passwords refused where they say so', async () => {
  const listed = async () => (await api(own.url)('GET', '/api/auth/sso/providers')).body;
  expect(await listed()).toEqual([
    {
      id: 'acme',
      name: 'acme',
      issuer: acme.issuer,
      clientId: CLIENT.clientId,
      ssoEnforced: false,
      passwordAuthDisabled: false,
      loginUrl: '/api/auth/sso/acme/login',
    },
    expect.objectContaining({ id: 'other' }),
  ]);
  const logIn = (email: string) => api(own.url)('POST', '/api/auth/login', { body: { email, password: 'wrong' } });
  configure({ ssoEnforced: true });
  expect(await logIn('Ann@Acme.example')).toMatchObject({ status: 403, body: { code: 'SSO_REQUIRED' } });
  expect((await logIn('ann@elsewhere.example')).status).toBe(401);
  configure({ passwordAuthDisabled: true });
  expect(await logIn('ann@elsewhere.example')).toMatchObject({
    status: 403,
    body: { code: 'PASSWORD_LOGIN_DISABLED' },
  });
});
