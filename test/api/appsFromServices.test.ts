import { describe, expect, test } from '@jest/globals';
import { signedHeaders } from '../../domain/event/signedMessage.ts';
import type { JsonObject } from '../../domain/json.ts';
import { importedTools } from '../../domain/mcp/toolAction.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { said, startMcpServer } from '../setup/providers/mcpServer.ts';
import { OAUTH_CLIENT, startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { inject } from '../setup/stack/inject.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const CALLBACK = '/api/connections/oauth2/callback';
const json = { 'content-type': 'application/json' };

async function makeApps() {
  const home = await makeHome();
  const upsert = (body: object) => home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body });
  const imported = (body: object) => home.api('POST', '/api/apps/import', { body });
  return { ...home, upsert, imported };
}

describe('an http app', () => {
  const app = (baseUrl: string) => ({
    slug: 'billing',
    runs: { on: 'http', baseUrl },
    actions: [
      {
        actionId: 'charge',
        inputConfig: { fields: [{ key: 'amount', label: 'Amount', type: 'number', required: true }] },
      },
    ],
  });

  test('gets the calls of steps, signed by the secret that its first upsert shows', async () => {
    const { url, calls } = await loopback((_, response) =>
      response.writeHead(200, json).end('{"output":{"invoice":"i-1"}}'),
    );
    const { upsert, run } = await makeApps();
    const { secret } = (await upsert(app(url))).body;
    expect(secret).toMatch(/^whsec_/);
    expect((await upsert(app(url))).body).not.toHaveProperty('secret');
    const { status, id } = await run({ nodes: [action('pay', 'billing.charge', { amount: 5 })] });
    expect(status).toBe('COMPLETED');
    const [{ headers, body } = { headers: {}, body: '' }] = calls as {
      headers: Record<string, string>;
      body: string;
    }[];
    const sent = JSON.parse(body);
    expect(sent).toMatchObject({ inputs: { amount: 5 }, call: { executionId: id, stepId: 'pay', attempt: 1 } });
    const message = {
      id: sent.call.idempotencyKey,
      sentAt: new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    };
    expect(headers).toMatchObject(signedHeaders(secret, message));
  });

  test('may have a secret of its author, which no answer shows', async () => {
    const { url, calls } = await loopback((_, response) => response.writeHead(200, json).end('{"output":1}'));
    const { upsert, run, api: own } = await makeApps();
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const made = await upsert({ ...app(url), secret });
    expect([made.status, JSON.stringify(made.body).includes(secret)]).toEqual([200, false]);
    expect(JSON.stringify((await own('GET', '/api/workflow-apps/billing')).body)).not.toContain(secret);
    await run({ nodes: [action('pay', 'billing.charge', { amount: 5 })] });
    const { headers = {}, body = '' } = calls[0] ?? {};
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    expect(headers).toMatchObject(signedHeaders(secret, { id: String(headers['webhook-id']), sentAt, body }));
    const wrong = await upsert({ ...app(url), secret: 'whsec_short' });
    expect([wrong.status, wrong.body.errors]).toMatchObject([400, [{ path: 'secret' }]]);
  });
});

test('an http app exchanges the token of a call for credentials, once and only during the call', async () => {
  const home = await makeApps();
  const tokens: string[] = [];
  const exchange = async (token: string) => {
    const { status, body } = await home.api('POST', '/api/apps/credentials', { body: { token } });
    return { status, credentials: body.credentials };
  };
  const exchanged: object[] = [];
  const { url } = await loopback(async ({ body }, response) => {
    const { call } = JSON.parse(body);
    tokens.push(call.connection);
    if (call.attempt === 1) return response.writeHead(503, json).end('{}');
    exchanged.push(await exchange(call.connection), await exchange(call.connection));
    return response.writeHead(200, json).end(JSON.stringify({ output: exchanged }));
  });
  const key = { connectionId: 'key', type: 'apiKey', fields: [{ key: 'apiKey', type: 'secret', required: true }] };
  const actions = [{ actionId: 'charge', requiresConnection: true }];
  await home.upsert({ slug: 'billing', runs: { on: 'http', baseUrl: url }, connectionTypes: [key], actions });
  const credentials = { apiKey: 'an-api-key-of-billing' };
  await home.api('POST', '/api/workflow-apps/billing/connections/key/connect', { body: { credentials } });
  const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
  const { status, executionPath } = await home.run({ nodes: [action('pay', 'billing.charge', {}, { retry })] });
  expect(exchanged).toEqual([{ status: 200, credentials }, { status: 404 }]);
  expect([status, new Set(tokens).size]).toEqual(['COMPLETED', 2]);
  expect(JSON.stringify(executionPath)).not.toContain(credentials.apiKey);
  expect((await Promise.all(tokens.map(exchange))).map((each) => each.status)).toEqual([404, 404]);
});

describe('an app of an OpenAPI document', () => {
  const documentOf = (url: string): JsonObject => ({
    openapi: '3.1.0',
    info: { title: 'Tea shop', version: '1' },
    servers: [{ url }],
    paths: {
      '/tea/{id}': {
        get: {
          operationId: 'getTea',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          security: [{ key: [] }],
          responses: {
            200: {
              content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
            },
          },
        },
        delete: { operationId: 'removeTea' },
      },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  });

  test('is imported, upserted, connected and called', async () => {
    const { url, calls } = await loopback((_, response) => response.writeHead(200, json).end('{"name":"Assam"}'));
    const { upsert, imported, run, api: own } = await makeApps();
    const app = await imported({ openapi: JSON.stringify(documentOf(url)), slug: 'tea', operations: ['getTea'] });
    expect(app).toMatchObject({
      status: 200,
      body: {
        ...{ slug: 'tea', name: 'Tea shop', runs: { on: 'openapi' } },
        actions: [{ actionId: 'getTea', effect: 'read', repeatable: true, requiresConnection: true }],
        connectionTypes: [{ connectionId: 'key', type: 'apiKey' }],
      },
    });
    expect((await upsert(app.body)).status).toBe(200);
    const connect = '/api/workflow-apps/tea/connections/key/connect';
    const connected = await own('POST', connect, { body: { name: 'Tea', credentials: { apiKey: 'k-secret-1' } } });
    expect(connected.status).toBeLessThan(300);
    const { status, output } = await run({
      nodes: [action('get', 'tea.getTea', { id: 'a b' })],
      output: '{{ steps.get.output.body.name }}',
    } as never);
    expect(status).toBe('COMPLETED');
    expect(calls).toMatchObject([{ method: 'GET', url: '/tea/a%20b', headers: { 'x-key': 'k-secret-1' } }]);
    expect(JSON.stringify(output ?? '')).not.toContain('k-secret-1');
  });

  test('is refused with every place', async () => {
    const { imported } = await makeApps();
    const document = documentOf('ftp://tea.example');
    (document.paths as JsonObject)['/a'] = { get: { parameters: [{ $ref: 'http://x.example/y' }] } };
    const { status, body } = await imported({ openapi: document, operations: undefined });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'openapi.paths["/a"].get.parameters[0]',
      'openapi.servers[0].url',
    ]);
    expect((await imported({ openapi: 'a: [1' })).body.errors).toMatchObject([{ path: 'openapi' }]);
    expect(
      (await imported({ openapi: documentOf('https://tea.example'), operations: ['none'] })).body.errors,
    ).toMatchObject([{ path: 'operations[0]' }]);
  });
});

describe('OAuth2 of an OpenAPI document', () => {
  async function connectable(flow: (issuer: string) => JsonObject) {
    const provider = await startOAuthProvider({ redirectUri: `${inject('stack').url.replace(/\/$/, '')}${CALLBACK}` });
    const { host } = new URL(provider.issuer);
    const document = {
      ...{ swagger: '2.0', info: { title: 'Bank' }, host, schemes: ['http'] },
      securityDefinitions: { login: { type: 'oauth2', scopes: { accounts: '' }, ...flow(provider.issuer) } },
      paths: { '/api/me': { get: { operationId: 'me', security: [{ login: ['accounts'] }], responses: {} } } },
    };
    const made = await makeApps();
    const { body } = await made.imported({ openapi: document, slug: 'bank' });
    expect((await made.upsert(body)).status).toBe(200);
    const me = () => made.run({ nodes: [action('me', 'bank.me', {})], output: '{{ steps.me.output.body }}' } as never);
    return { ...made, provider, me };
  }

  test('with client credentials: a token is asked for once, and again after it was refused', async () => {
    const {
      api: own,
      provider,
      me,
    } = await connectable((issuer) => ({ flow: 'application', tokenUrl: `${issuer}/token` }));
    const connect = (credentials: JsonObject) =>
      own('POST', '/api/workflow-apps/bank/connections/login/connect', { body: { name: 'Bank', credentials } });
    const wrong = await connect({ ...OAUTH_CLIENT, clientSecret: 'wrong' });
    expect(wrong.body).toMatchObject({ status: 'failed', message: 'The provider answered invalid_client' });
    expect((await connect(OAUTH_CLIENT)).body).toMatchObject({ status: 'connected' });
    const asked = provider.asked.client_credentials ?? 0;
    for (const _ of [1, 2]) expect(await me()).toMatchObject({ status: 'COMPLETED', output: { isGood: true } });
    expect(provider.asked.client_credentials).toBe(asked);
    provider.revokeAccess();
    const after = await me();
    expect(after).toMatchObject({ status: 'COMPLETED', output: { isGood: true, authorization: 'Bearer ***' } });
    expect(provider.asked.client_credentials).toBe(asked + 1);
    expect(new Set(provider.seen).size).toBe(2);
  });

  test('with an authorization code, in the browser', async () => {
    const {
      api: own,
      provider,
      me,
    } = await connectable((issuer) => ({
      ...{ flow: 'accessCode', authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` },
    }));
    const path = '/api/workflow-apps/bank/connections/login';
    const direct = await own('POST', `${path}/connect`, { body: { credentials: OAUTH_CLIENT } });
    expect(direct.body).toMatchObject({ code: 'INTERACTIVE_CONNECTION' });
    const { body } = await own('POST', `${path}/authorize`, { body: { credentials: OAUTH_CLIENT } });
    const ticket = new URL(body.authorizationUrl).searchParams.get('ticket');
    expect((await own('POST', '/api/connections/oauth2/ticket', { body: { ticket } })).body.appName).toBe('Bank');
    const back = await provider.comeBack(await provider.authorize(body.authorizationUrl));
    expect(back.headers.get('location')).toContain('connected=');
    expect(await me()).toMatchObject({ status: 'COMPLETED', output: { isGood: true } });
    provider.revokeAccess();
    expect(await me()).toMatchObject({ status: 'COMPLETED', output: { isGood: true } });
    expect(provider.asked).toEqual({ authorization_code: 1, refresh_token: 1 });
  });

  test('asks for no token at a private address', async () => {
    const { api: own } = await connectable(() => ({ flow: 'application', tokenUrl: 'https://10.0.0.1/token' }));
    const body = { credentials: OAUTH_CLIENT };
    const answer = await own('POST', '/api/workflow-apps/bank/connections/login/connect', { body });
    expect(answer.body).toMatchObject({ status: 'failed', message: expect.stringContaining('10.0.0.1') });
  });
});

test('an app of an MCP server calls a tool as long as it is the one that was imported', async () => {
  const tools = [
    {
      name: 'search',
      description: 'Finds books.',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
      annotations: { readOnlyHint: true },
    },
  ];
  const server = await startMcpServer({ tools, answer: () => said('Faust') });
  const { actions, tools: digests, connectionTypes } = importedTools(tools);
  const { upsert, run } = await makeApps();
  const app = { slug: 'books', runs: { on: 'mcp', url: server.url, tools: digests }, actions, connectionTypes };
  expect((await upsert(app)).status).toBe(200);
  const graph = { nodes: [action('find', 'books.search', { q: 'x' })] };
  expect(await run(graph)).toMatchObject({ status: 'COMPLETED' });
  expect(server.calls).toMatchObject([{ name: 'search', input: { q: 'x' } }]);
  (tools[0] as { description: string }).description = 'Finds books, and sends them away.';
  const ended = await run(graph);
  expect([ended.status, JSON.stringify(ended)]).toEqual(['FAILED', expect.stringContaining('TOOL_CHANGED')]);
  expect(server.calls).toHaveLength(1);
});
