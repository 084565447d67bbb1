import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import type { Api } from '../setup/api/client.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';
import { action, webhook } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

// A process dies after acting, before storing its response. A repeated request must not act again, and gets the same
// response.

const home = await makeHome();
const { api: own, projectId } = home;

interface Sent {
  call?: Api;
  path: string;
  body?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
async function make(path: string, body: object = {}, method = 'POST'): Promise<any> {
  const made = await own(method, path, { body });
  expect([path, made.status < 300, made.body.detail]).toEqual([path, true, undefined]);
  return made.body;
}

const itemIn = async () => {
  const { id } = await make(`/api/queues?projectId=${projectId}`, { name: 'q', retryDelayMinutes: 0 });
  const items = `/api/queues/${id}/items`;
  const { id: itemId } = await make(items, { data: { a: 1 } });
  return { items, item: `${items}/${itemId}` };
};
const claimed = async () => {
  const { items, item } = await itemIn();
  await make(`${items}/claim`);
  return item;
};
const member = async () =>
  (await make('/api/workspace/users', { email: `${randomUUID()}@test.local`, role: 'builder' })).id;
const key = async () => (await make('/api/api-keys', { name: 'k', permissions: ['projects:read'] })).id;
const agentOf = () => ({ slug: `a-${randomUUID()}`, instructions: 'i', model: 'm' });
const agent = async () => (await make(`/api/projects/${projectId}/agents/upsert`, agentOf())).id;
const workflow = () => home.deploy({ nodes: [action('a', 'core.set', { values: { b: 1 } })] });
const draft = async () => {
  const body = { name: 'd', nodes: [action('a', 'core.set', { values: { b: 1 } })], edges: [] };
  return `/api/workflows/${(await make(`/api/projects/${projectId}/workflows/drafts`, body)).id}/draft`;
};
const failing = () => home.deploy({ nodes: [action('a', 'core.assert', { condition: '{{ false }}' })] });
const failed = async () => {
  const workflowId = await failing();
  const { id } = await home.ended(await home.execute(workflowId));
  return { id, workflowId };
};
const set = { appId: 'core', actionId: 'set', inputs: { values: { a: 1 } } };
const STATES = { initial: 'a', states: ['a', 'b'].map((id) => ({ id, name: id })) };
await make('/api/object-types/upsert', { slug: 'order', stateSchema: STATES });
const entity = async () => `/api/objects/${(await make('/api/objects', { objectTypeSlug: 'order', name: 'o' })).id}`;

const app = () => ({
  slug: `a-${randomUUID()}`,
  runs: { on: 'http', baseUrl: 'https://x.example' },
  actions: [{ actionId: 'do' }],
});

const SENT: Record<string, () => Promise<Sent>> = {
  addWorkspaceUser: async () => ({
    path: '/api/workspace/users',
    body: { email: `${randomUUID()}@test.local`, role: 'builder' },
  }),
  renewInvitation: async () => ({ path: `/api/workspace/users/${await member()}/invitation` }),
  createApiKey: async () => ({ path: '/api/api-keys', body: { name: 'k', permissions: ['projects:read'] } }),
  rotateApiKey: async () => ({ path: `/api/api-keys/${await key()}/rotate`, body: { graceMs: 100_000 } }),
  createEventSubscription: async () => ({
    path: '/api/event-subscriptions',
    body: { url: 'https://x.example', events: ['object.changed'] },
  }),
  createGrant: async () => ({
    path: `/api/agents/${await agent()}/grants`,
    body: { subject: { type: 'apiKey', id: await key() } },
  }),
  upsertApp: async () => ({
    path: `/api/projects/${projectId}/apps/upsert`,
    body: app(),
  }),
  createProject: async () => ({ path: '/api/projects', body: { name: randomUUID() } }),
  applyProject: async () => ({
    path: `/api/projects/${projectId}/apply`,
    body: {
      resources: [
        { kind: 'queue', slug: `q-${randomUUID().slice(0, 8)}` },
        { kind: 'app', ...app() },
      ],
    },
  }),
  createVariable: async () => ({ path: '/api/variables', body: { name: `V_${randomUUID().slice(0, 8)}`, value: 'v' } }),
  upsertWorkflow: async () => ({
    path: `/api/projects/${projectId}/workflows/upsert`,
    body: { slug: `w-${randomUUID()}`, steps: [{ name: 'S', ...set }] },
  }),
  connectWorkflowApp: async () => ({
    path: '/api/workflow-apps/http/connections/apiKey/connect',
    body: { name: randomUUID(), credentials: { apiKey: 'k', allowedHosts: ['api.shop.example'] } },
  }),
  authorizeConnection: async () => ({
    path: '/api/workflow-apps/http/connections/oauth2/authorize',
    body: {
      credentials: {
        authorizationUrl: 'https://bank.example/authorize',
        tokenUrl: 'https://bank.example/token',
        clientId: 'c',
        allowedHosts: ['api.bank.example'],
      },
    },
  }),
  runAction: async () => ({ path: '/api/actions/run', body: set }),
  runSteps: async () => ({ path: '/api/runs', body: { steps: [set] } }),
  createWorkflowDraft: async () => ({ path: `/api/projects/${projectId}/workflows/drafts`, body: { name: 'd' } }),
  publishWorkflowDraft: async () => ({ path: `${await draft()}/publish` }),
  executeWorkflowDraft: async () => ({ path: `${await draft()}/execute`, body: {} }),
  executeWorkflow: async () => ({ path: `/api/executions/workflows/${await workflow()}/execute`, body: {} }),
  executeWorkflowBySlug: async () => {
    const { body } = await own('GET', `/api/workflows/${await workflow()}?expansion=slug`);
    return { path: `/api/projects/${projectId}/workflows/${body.slug}/execute`, body: {} };
  },
  retryExecution: async () => ({ path: `/api/executions/${(await failed()).id}/retry`, body: {} }),
  bulkCancelExecutions: async () => ({
    path: '/api/executions/bulk/cancel',
    body: { filterBy: `workflowId:${(await failed()).workflowId}` },
  }),
  postWebhook: async () => ({
    path: `/api/webhooks/workflows/${await home.deploy({ trigger: webhook(), nodes: [action('a', 'core.set', { values: {} })] })}`,
    body: { a: 1 },
  }),
  upsertObjectType: async () => ({ path: '/api/object-types/upsert', body: { slug: `t-${randomUUID()}`, name: 'T' } }),
  createObject: async () => ({ path: '/api/objects', body: { objectTypeSlug: 'order', name: 'o' } }),
  importObjects: async () => ({
    path: '/api/objects/import',
    body: { objectTypeSlug: 'order', rows: [{ name: 'A' }, { nope: 1 }] },
  }),
  restoreObject: async () => {
    const path = await entity();
    await own('DELETE', path);
    return { path: `${path}/restore` };
  },
  setObjectState: async () => ({ path: `${await entity()}/state`, body: { state: 'b' } }),
  createKnowledge: async () => ({ path: '/api/knowledge', body: { name: randomUUID() } }),
  saveUploadedText: async () => {
    const { id } = await make('/api/knowledge', { name: randomUUID() });
    return { path: `/api/knowledge/${id}/saveUploadedText`, body: { text: 'Once.' } };
  },
  createQueue: async () => ({ path: `/api/queues?projectId=${projectId}`, body: { name: randomUUID() } }),
  createQueueItem: async () => ({ path: (await itemIn()).items, body: { data: { b: 1 }, externalId: 'e' } }),
  bulkCreateQueueItems: async () => ({
    path: `${(await itemIn()).items}/bulk`,
    body: { items: [{ data: {} }, { data: {}, externalId: 'x' }, { data: {}, externalId: 'x' }] },
  }),
  claimQueueItems: async () => {
    const { items } = await itemIn();
    await make(items, { data: { a: 2 } });
    return { path: `${items}/claim`, body: { limit: 1 } };
  },
  recordQueueItemError: async () => ({ path: `${await claimed()}/error`, body: { error: 'wrong' } }),
  retryQueueItem: async () => {
    const item = await claimed();
    await make(`${item}/status`, { status: 'FAILED' }, 'PATCH');
    return { path: `${item}/retry` };
  },
  requeueQueueItem: async () => {
    const item = await claimed();
    await make(`${item}/status`, { status: 'CANCELLED' }, 'PATCH');
    return { path: `${item}/requeue` };
  },
  createTask: async () => ({ path: `/api/agents/${await agent()}/tasks`, body: {} }),
  upsertAgent: async () => ({ path: `/api/projects/${projectId}/agents/upsert`, body: agentOf() }),
  sendMessage: async () => {
    const { api: call, agentId, provider } = await makeAgentHome();
    provider.answer(say('Hello'));
    const path = `/api/agents/${agentId}/tasks/${randomUUID()}/message`;
    return { call, path, body: { message: userMessage('hi') } };
  },
};

/** Not tested: single-use codes, responses about remaining work, streams, and the webhook with other methods. */
const OTHERS = [
  ...['confirmSecondFactor', 'renewBackupCodes', 'resetSecondFactor'],
  ...['bulkRetryExecutions', 'bulkRequeueQueueItems', 'streamMessage', 'stopMessageStream', 'getWebhook'],
  ...['testEventSubscription', 'bulkAcknowledgeExecutions'],
];

test('tests every operation that accepts a key', () => {
  const taking = routesOf(readOpenApi()).filter((route) => route.takesIdempotencyKey);
  const names = new Set(taking.map(({ operationId }) => operationId.replace(/ByPut$/, '')));
  expect([...Object.keys(SENT), ...OTHERS].sort()).toEqual([...names].sort());
});

/** Secrets that are shown once: a repeated request creates another, and only the new one is valid. */
const SECRETS = ['secret', 'authorizationUrl', 'apiKey', 'prefix', 'token', 'expiresAt', 'previousValidUntil'];

function withoutSecrets(body: unknown): unknown {
  const text = JSON.stringify(body ?? null).replaceAll(/\?token=[\w-]+/g, '');
  return JSON.parse(text, (name, value) => (SECRETS.includes(name) ? undefined : value));
}

/** Simulates a process that died before it stored its response. */
function forgetAnswer(name: string): Promise<unknown> {
  return stackDatabase().$executeRaw`
    UPDATE idempotency_keys SET status = NULL, answer = NULL, sealed_body = NULL, key_id = NULL,
      locked_until = now() - interval '1 second'
    WHERE key LIKE ${`%${name}`}`;
}

async function twice({ call = own, path, body }: Sent) {
  const name = randomUUID();
  const send = () => call('POST', path, { headers: { 'idempotency-key': name }, ...(body ? { body } : {}) });
  const first = await send();
  await forgetAnswer(name);
  const second = await send();
  expect(second.headers.get('idempotency-replayed')).toBeNull();
  return { first, second };
}

test.each(Object.keys(SENT))('%s', async (operation) => {
  const { first, second } = await twice((await SENT[operation]?.()) as Sent);
  expect([first.status < 300, first.body?.detail]).toEqual([true, undefined]);
  expect([second.status, withoutSecrets(second.body)]).toEqual([first.status, withoutSecrets(first.body)]);
});

test.each(['upsertApp', 'applyProject'])('%s shows the secret that its first try made', async (operation) => {
  const { first, second } = await twice((await SENT[operation]?.()) as Sent);
  const secretIn = (body: unknown) => /whsec_[^"]+/.exec(JSON.stringify(body))?.[0];
  expect(secretIn(first.body)).toBeDefined();
  expect(secretIn(second.body)).toBe(secretIn(first.body));
});

test('upsertApp makes a secret that its first try did not get to', async () => {
  const path = `/api/projects/${projectId}/apps/upsert`;
  const body = app();
  const name = randomUUID();
  const send = () => own('POST', path, { headers: { 'idempotency-key': name }, body });
  const { body: first } = await send();
  // As if the process had died between its two statements.
  await stackDatabase().appSecret.delete({ where: { appId: first.id } });
  await forgetAnswer(name);
  const { body: second } = await send();
  expect(second).toMatchObject({ id: first.id, created: true, secret: expect.stringMatching(/^whsec_/) });
  expect(second.secret).not.toBe(first.secret);
});

test('a person of another workspace who is added again is no member already', async () => {
  const { email } = await makeWorkspace();
  const { first, second } = await twice({ path: '/api/workspace/users', body: { email, role: 'builder' } });
  expect(first.status).toBe(201);
  expect([second.status, withoutSecrets(second.body)]).toEqual([201, withoutSecrets(first.body)]);
});

test('an error that is reported again does not take the item from the next worker', async () => {
  const item = await claimed();
  const name = randomUUID();
  const report = () => own('POST', `${item}/error`, { headers: { 'idempotency-key': name }, body: { error: 'wrong' } });
  expect(await report()).toMatchObject({ status: 201, body: { status: 'RETRYING', retryCount: 1 } });
  await forgetAnswer(name);
  expect(await make(`${item.replace(/[^/]+$/, '')}claim`)).toHaveLength(1);
  expect(await report()).toMatchObject({ status: 201, body: { status: 'PROCESSING', retryCount: 1 } });
  expect((await own('GET', `${item}/errors`)).body).toHaveLength(1);
});
