import { expect, test } from '@jest/globals';
import { NeedsReconnect } from '../../engine/connections/connectionTokens.ts';
import { Browser } from '../setup/browser/browser.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OAuthProvider, spendTicket, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { stackConnections } from '../setup/stack/connectionTokens.ts';
import { inject } from '../setup/stack/inject.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const CALLBACK = '/api/connections/oauth2/callback';
const redirectUri = () => `${inject('stack').url.replace(/\/$/, '')}${CALLBACK}`;
const PATH = '/api/workflow-apps/http/connections/oauth2';

const authorize = (key: string, body: object) => call('POST', `${PATH}/authorize`, { key, body });

/** Follows the provider's redirect to the API, as the browser does. */
async function comeBack(provider: OAuthProvider, url: URL): Promise<URLSearchParams> {
  const answer = await provider.comeBack(url);
  expect(answer.status).toBe(302);
  const location = new URL(answer.headers.get('location') ?? '');
  expect(location.pathname).toMatch(/^(\/console)?\/connections$/);
  return location.searchParams;
}

async function connected(key: string, provider: OAuthProvider, body: object = {}): Promise<string> {
  const { status, body: answer } = await authorize(key, { credentials: provider.credentials, ...body });
  expect(status).toBe(201);
  const result = await comeBack(provider, await provider.authorize(answer.authorizationUrl));
  expect(result.get('error')).toBeNull();
  return result.get('connected') ?? '';
}

const get = (key: string, provider: OAuthProvider, connectionId: string) =>
  call('POST', '/api/actions/run', {
    key,
    body: { appId: 'http', actionId: 'request', connectionId, inputs: { url: `${provider.issuer}/api/me` } },
  });

test('a person authorizes in the browser, and steps call with the token', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const begun = await authorize(key, { name: 'Bank', isDefault: true, credentials: provider.credentials });
  expect(begun).toMatchObject({ status: 201 });
  const page = new URL(begun.body.authorizationUrl);
  expect(page.href).toMatch(/\/console\/connect\?ticket=[\w-]{43}$/);
  const url = new URL(await spendTicket(provider.browser, page.href));
  expect(url.origin).toBe(provider.issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'accounts',
    redirect_uri: redirectUri(),
  });
  const left = Date.parse(begun.body.expiresAt) - Date.now();
  expect(left).toBeGreaterThan(590_000);
  expect(left).toBeLessThan(610_000);
  const id = (await comeBack(provider, await provider.authorize(url.href))).get('connected');
  const read = await call('GET', `/api/connections/${id}?expansion=status,isManaged,connectionId,workflowAppId`, {
    key,
  });
  expect(read.body).toEqual({
    id,
    name: 'Bank',
    isDefault: true,
    status: 'connected',
    isManaged: false,
    connectionId: 'oauth2',
    workflowAppId: 'http',
  });
  const run = await get(key, provider, String(id));
  expect(run.body).toMatchObject({ status: 'COMPLETED', output: { body: { isGood: true } } });
  expect(provider.asked).toEqual({ authorization_code: 1 });
  // The service echoes the token, which is masked.
  expect(run.body.output.body.authorization).toBe('Bearer ***');
  for (const token of provider.given) expect(JSON.stringify(run.body)).not.toContain(token);
  const row = await stackDatabase().connection.findUniqueOrThrow({ where: { id: String(id) } });
  for (const token of provider.given) expect(Buffer.from(row.credentials).includes(token)).toBe(false);
});

test('the token is sent to no host that the connection does not name', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(key, provider, {
    credentials: { ...provider.credentials, allowedHosts: ['api.bank.example'] },
  });
  expect((await get(key, provider, id)).body).toMatchObject({
    status: 'FAILED',
    error: { code: 'CONNECTION_HOST_NOT_ALLOWED' },
  });
  expect(provider.seen).toEqual([]);
});

test('another browser than the one that spent the ticket stores nothing, calls no token address and spends the state', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const renewed = await connected(key, provider);
  for (const body of [{ credentials: provider.credentials }, { connectionToRenew: renewed }]) {
    const { body: begun } = await authorize(key, body);
    const back = await provider.authorize(begun.authorizationUrl);
    const answer = await new Browser().visit(back);
    expect(answer.status).toBe(302);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(`${location.pathname}${location.search}`).toBe('/console/connect?error=WRONG_BROWSER');
    // The right browser comes too late: the state has been used.
    expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_STATE_INVALID');
  }
  expect(provider.asked).toEqual({ authorization_code: 1 });
  expect((await call('GET', '/api/connections', { key })).body).toHaveLength(1);
});

test('the cookie of one flow does not open another', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const attacker = (await authorize(key, { credentials: provider.credentials })).body.authorizationUrl;
  const victim = (await authorize(key, { credentials: provider.credentials })).body.authorizationUrl;
  const url = await spendTicket(new Browser(), attacker);
  await provider.authorize(victim);
  const answer = await provider.comeBack(await provider.authorize(url));
  expect(answer.headers.get('location')).toContain('error=WRONG_BROWSER');
  expect(provider.asked).toEqual({});
});

test('a ticket identifies the workspace, the app and the caller, and works once', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body: begun } = await authorize(key, { credentials: provider.credentials });
  const ticket = new URL(begun.authorizationUrl).searchParams.get('ticket');
  const me = (await call('GET', '/api/users/me', { key })).body;
  const read = () => call('POST', '/api/connections/oauth2/ticket', { body: { ticket } });
  const spend = (headers = {}) => call('POST', '/api/connections/oauth2/begin', { body: { ticket }, headers });
  expect((await read()).body).toEqual({
    workspaceName: me.workspace.name,
    appName: 'HTTP',
    askedBy: `API key "${me.apiKey.name}"`,
    isRenewal: false,
    expiresAt: begun.expiresAt,
  });
  // Only our own page can spend it.
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect((await spend({ 'sec-fetch-site': site })).body).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  }
  const answers = await Promise.all([spend(), spend({ 'sec-fetch-site': 'same-origin' }), spend()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  const cookie = answers.find(({ status }) => status === 200)?.headers.get('set-cookie');
  expect(cookie).toMatch(/^perdure_oauth2_[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  expect((await read()).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('a state is accepted once, and an unknown one never', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body } = await authorize(key, { credentials: provider.credentials });
  const back = await provider.authorize(body.authorizationUrl);
  expect((await comeBack(provider, back)).get('connected')).not.toBeNull();
  expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_STATE_INVALID');
  back.searchParams.set('state', 'x'.repeat(43));
  expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_STATE_INVALID');
  expect((await comeBack(provider, new URL(redirectUri()))).get('error')).toBe('OAUTH2_STATE_INVALID');
  expect((await call('GET', '/api/connections', { key })).body).toHaveLength(1);
});

test('one of two simultaneous uses of a state connects', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body } = await authorize(key, { credentials: provider.credentials });
  const back = await provider.authorize(body.authorizationUrl);
  const results = await Promise.all([comeBack(provider, back), comeBack(provider, back), comeBack(provider, back)]);
  expect(results.filter((each) => each.has('connected'))).toHaveLength(1);
  expect(provider.asked).toEqual({ authorization_code: 1 });
});

test('an expired state is rejected', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body } = await authorize(key, { credentials: provider.credentials });
  const back = await provider.authorize(body.authorizationUrl);
  await stackDatabase().connectionAuthorization.updateMany({ where: { workspaceId }, data: { expiresAt: new Date() } });
  expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_STATE_INVALID');
  expect(provider.asked).toEqual({});
});

test('an answer that names another issuer ends before the code is sent anywhere', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body } = await authorize(key, { credentials: provider.credentials });
  provider.iss = 'https://attacker.example';
  expect((await comeBack(provider, await provider.authorize(body.authorizationUrl))).get('error')).toBe(
    'OAUTH2_ISSUER_MISMATCH',
  );
  expect(provider.asked).toEqual({});
  expect((await call('GET', '/api/connections', { key })).body).toEqual([]);
});

test('a code of another flow is not taken: PKCE', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const mine = (await authorize(key, { credentials: provider.credentials })).body.authorizationUrl;
  const theirs = (await authorize(key, { credentials: provider.credentials })).body.authorizationUrl;
  const back = await provider.authorize(mine);
  back.searchParams.set('code', (await provider.authorize(theirs)).searchParams.get('code') ?? '');
  expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_FAILED');
  expect((await call('GET', '/api/connections', { key })).body).toEqual([]);
});

test('a denied authorization is reported, and nothing is stored', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  provider.denies = true;
  const { body } = await authorize(key, { credentials: provider.credentials });
  expect((await comeBack(provider, await provider.authorize(body.authorizationUrl))).get('error')).toBe(
    'OAUTH2_DENIED',
  );
});

test('a key that was revoked meanwhile connects nothing', async () => {
  const { apiKey: owner } = await makeWorkspace();
  const made = await call('POST', '/api/api-keys', {
    key: owner,
    body: { name: 'k', permissions: ['connections:write'] },
  });
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const { body } = await authorize(made.body.apiKey, { credentials: provider.credentials });
  const back = await provider.authorize(body.authorizationUrl);
  await call('DELETE', `/api/api-keys/${made.body.id}`, { key: owner });
  expect((await comeBack(provider, back)).get('error')).toBe('OAUTH2_NOT_ALLOWED');
  expect(provider.asked).toEqual({});
});

test('connect stays for clients that act for themselves', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri(), auth: 'client_secret_post' });
  const connect = (credentials: object) => call('POST', `${PATH}/connect`, { key, body: { credentials } });
  expect((await connect(provider.credentials)).body).toMatchObject({ status: 400, code: 'INTERACTIVE_CONNECTION' });
  expect((await connect({})).body).toMatchObject({ status: 400, code: 'INTERACTIVE_CONNECTION' });
  const itself = { ...provider.credentials, grant: 'clientCredentials' };
  expect((await connect({ ...itself, clientSecret: 'wrong' })).body).toMatchObject({
    id: null,
    status: 'failed',
    message: 'The provider answered invalid_client',
  });
  const answer = await connect(itself);
  expect(answer.body).toMatchObject({ status: 'connected', connectionId: 'oauth2' });
  expect((await get(key, provider, answer.body.id)).body).toMatchObject({ status: 'COMPLETED' });
  expect((await call('POST', `/api/connections/${answer.body.id}/test`, { key })).body).toEqual(answer.body);
  expect((await authorize(key, { credentials: itself })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'credentials.grant' }],
  });
});

test.each([
  [{ tokenUrl: 'http://bank.example/token' }, 'credentials.tokenUrl'],
  [{ authorizationUrl: 'ftp://bank.example' }, 'credentials.authorizationUrl'],
  [{ authorizationUrl: null }, 'credentials.authorizationUrl'],
  [{ scopes: 'a "b' }, 'credentials.scopes'],
  [{ clientId: '' }, 'credentials.clientId'],
  [{ accessToken: 'mine' }, 'credentials.accessToken'],
  [{ allowedHosts: [] }, 'credentials'],
])('%j: refused with its place', async (wrong, path) => {
  const { apiKey: key } = await makeWorkspace();
  const credentials = {
    authorizationUrl: 'https://bank.example/authorize',
    tokenUrl: 'https://bank.example/token',
    clientId: 'c',
    allowedHosts: ['api.bank.example'],
    ...wrong,
  };
  expect((await authorize(key, { credentials })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path }],
  });
});

test('a connection that is no OAuth2 is not authorized, and another workspace has none to renew', async () => {
  const { apiKey: key } = await makeWorkspace();
  const { apiKey: stranger } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(key, provider);
  const path = '/api/workflow-apps/http/connections/apiKey/authorize';
  expect((await call('POST', path, { key, body: {} })).status).toBe(400);
  expect((await authorize(stranger, { connectionToRenew: id })).status).toBe(404);
  expect((await authorize(key, { connectionToRenew: id })).status).toBe(201);
});

test('a managed connection is renewed by those who see it, and by nobody who was one of them only before', async () => {
  const { apiKey: admin } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(admin, provider, { isManaged: true });
  const permissions = ['connections:read', 'connections:write'];
  const made = await call('POST', '/api/api-keys', { key: admin, body: { name: 'Builder', permissions } });
  const { id: keyId, apiKey: key } = made.body;
  const assign = (...subjects: object[]) =>
    call('PUT', `/api/connections/${id}/assignments`, { key: admin, body: { subjects } });
  const renew = () => authorize(key, { connectionToRenew: id });
  expect((await renew()).status).toBe(404);
  await assign({ type: 'apiKey', id: keyId });
  const begun = await renew();
  expect(begun.status).toBe(201);
  await assign();
  const back = await comeBack(provider, await provider.authorize(begun.body.authorizationUrl));
  expect(back.get('error')).toBe('OAUTH2_NOT_ALLOWED');
  const own = await connected(key, provider, { isManaged: true });
  const read = await call('GET', `/api/connections/${own}?expansion=assignments`, { key });
  expect(read.body).toMatchObject({ assignments: [{ type: 'apiKey', id: keyId }] });
});

test('a token is refreshed before it ends, once for a hundred actions at once', async () => {
  const home = await makeHome();
  const key = home.apiKey;
  const provider = await startOAuthProvider({ redirectUri: redirectUri(), accessTokenSeconds: 1 });
  const id = await connected(key, provider);
  // The provider counts whole seconds, so for it the token may have expired already; Perdure counts from the response.
  const ended = Date.now() + 1_000;
  await poll(() => Date.now()).toBeGreaterThan(ended);
  provider.seen.length = 0;
  provider.accessTokenSeconds = 600;
  const item = {
    id: 'call',
    type: 'action' as const,
    name: 'Call',
    appId: 'http',
    actionId: 'request',
    parentId: 'all',
  };
  const items = Array.from({ length: 100 }, (_, n) => n);
  const workflowId = await home.deploy({
    nodes: [
      { id: 'all', type: 'forEach', name: 'All', inputs: { items, concurrency: 100 } },
      { ...item, connectionId: id, inputs: { url: `${provider.issuer}/api/me` } },
    ],
  });
  provider.hold = async () => void (await new Promise((go) => setTimeout(go, 300)));
  const executionId = await home.execute(workflowId);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  expect(provider.seen).toHaveLength(100);
  expect(provider.asked).toEqual({ authorization_code: 1, refresh_token: 1 });
});

test('processes that refresh one connection at once spend its refresh token once, and all have the new tokens', async () => {
  const { workspaceId, apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(key, provider);
  // Like several workers, they share only the row.
  const processes = await Promise.all(Array.from({ length: 4 }, () => stackConnections()));
  for (const round of [1, 2, 3]) {
    const { after, goOn } = gate();
    provider.hold = () => after;
    const refreshed = processes.map((each) => each.tested(workspaceId, id));
    await poll(() => provider.asked.refresh_token).toBe(round);
    goOn();
    const tokens = (await Promise.all(refreshed)).map((live) => live?.credentials.accessToken);
    expect(new Set(tokens).size).toBe(1);
    expect(provider.asked.refresh_token).toBe(round);
    expect((await get(key, provider, id)).body.status).toBe('COMPLETED');
    expect(provider.seen.at(-1)).toBe(tokens[0]);
  }
});

test('a refresh that outlives its lease still counts: the mark of the process that tried the old token meanwhile goes', async () => {
  const { workspaceId, apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(key, provider);
  const slow = await stackConnections({ leaseMs: 1 });
  const other = await stackConnections();
  const { after, goOn } = gate();
  provider.hold = () => after;
  const refreshed = slow.tested(workspaceId, id);
  await poll(() => provider.asked.refresh_token).toBe(1);
  provider.revokeAll();
  await expect(other.tested(workspaceId, id)).rejects.toThrow(NeedsReconnect);
  goOn();
  expect((await refreshed)?.credentials.accessToken).toBe(provider.given.at(-2));
  const { body } = await call('GET', `/api/connections/${id}?expansion=status`, { key });
  expect(body.status).toBe('connected');
});

test('a token that the service does not take is refreshed once, and the call is made again', async () => {
  const { apiKey: key } = await makeWorkspace();
  const provider = await startOAuthProvider({ redirectUri: redirectUri() });
  const id = await connected(key, provider);
  await get(key, provider, id);
  provider.revokeAccess();
  const runs = await Promise.all(Array.from({ length: 10 }, () => get(key, provider, id)));
  expect(runs.map(({ body }) => body.status)).toEqual(Array(10).fill('COMPLETED'));
  expect(provider.asked).toEqual({ authorization_code: 1, refresh_token: 1 });
  for (const { body } of runs) for (const token of provider.given) expect(JSON.stringify(body)).not.toContain(token);
  provider.revokeAccess();
  expect((await get(key, provider, id)).body.status).toBe('COMPLETED');
  expect(provider.asked).toEqual({ authorization_code: 1, refresh_token: 2 });
});
