import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ROLE_PERMISSIONS } from '../../domain/access/permission.ts';
import { api } from '../setup/api/client.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const FIELDS = [{ key: 'amount', label: 'Amount', type: 'number', required: true }];

function billing(more: object = {}) {
  return {
    slug: 'billing',
    name: 'Billing',
    runs: { on: 'http', baseUrl: 'https://billing.example' },
    connectionTypes: [
      { connectionId: 'key', type: 'apiKey', fields: [{ key: 'apiKey', type: 'secret', required: true }] },
    ],
    actions: [{ actionId: 'charge', inputConfig: { fields: FIELDS } }],
    ...more,
  };
}

async function makeApps() {
  const home = await makeHome();
  const upsert = (body: object, headers = {}) =>
    home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body, headers });
  return { ...home, upsert };
}

test('an app is in the catalogue of its workspace at once, and in no other', async () => {
  const { api: own, upsert } = await makeApps();
  const { status, body } = await upsert(billing());
  expect([status, body.slug, body.created]).toEqual([200, 'billing', true]);
  const { body: app } = await own('GET', '/api/workflow-apps/billing');
  expect(app).toMatchObject({ isCustom: true, runsOn: 'http', digest: body.digest, name: 'Billing' });
  expect(app.actions).toMatchObject([{ actionId: 'charge', effect: 'write', repeatable: false, permissions: [] }]);
  const { body: apps } = await own('GET', '/api/workflow-apps?limit=100');
  expect(apps.filter((each: { isCustom: boolean }) => each.isCustom)).toEqual([app]);
  expect((await own('GET', '/api/apps')).body).toEqual([
    { id: body.id, name: 'Billing', slug: 'billing', digest: body.digest },
  ]);
  const other = await makeApps();
  expect((await other.api('GET', '/api/workflow-apps/billing')).status).toBe(404);
  expect((await other.api('GET', '/api/apps')).body).toEqual([]);
});

test('an equal app changes nothing, whatever the order of its members; another one has another digest', async () => {
  const { upsert } = await makeApps();
  const first = await upsert(billing());
  const { slug, ...others } = billing();
  const again = await upsert({ ...others, slug });
  const { secret: _, ...shown } = first.body;
  expect(again.body).toEqual({ ...shown, created: false });
  const stale = first.headers.get('etag') as string;
  const changed = await upsert(billing({ description: 'New' }), { 'if-match': stale });
  expect(changed.body.digest).not.toBe(first.body.digest);
  const late = await upsert(billing({ description: 'Late' }), { 'if-match': stale });
  expect([late.status, late.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
});

test('each mistake of an app is reported at its place', async () => {
  const { upsert } = await makeApps();
  const { status, body } = await upsert({
    slug: 'Http',
    icon: '<svg/>',
    runs: { on: 'http', baseUrl: 'ftp://x', more: 1 },
    connectionTypes: [{ connectionId: 'o', type: 'oauth2', fields: [{ key: 'accessToken', type: 'secret' }] }],
    actions: [
      { actionId: 'a', effect: 'read', repeatable: false, permissions: ['workspace:admin'] },
      {
        actionId: 'a',
        inputConfig: { fields: [{ key: 'x', type: 'select', options: { load: true, dependsOn: ['y'] } }] },
      },
      { actionId: 'b', inputConfig: { fields: [], refersTo: {} }, placement: 'inline' },
    ],
  });
  expect(status).toBe(400);
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'slug',
    'connectionTypes[0].oauth2',
    'connectionTypes[0].fields[0].key',
    'actions[0].repeatable',
    'actions[0].permissions',
    'actions[1].actionId',
    'actions[1].inputConfig.fields[0].options.dependsOn[0]',
    'actions[2].inputConfig.refersTo',
    'actions[2].placement',
    'runs.baseUrl',
    'runs.more',
    'icon',
  ]);
});

describe('a workflow of an app', () => {
  const nodes = [action('pay', 'billing.charge', { amount: 1 })];

  test('keeps the digest of its save; an app in use is not deleted', async () => {
    const { api: own, upsert, deploy } = await makeApps();
    const first = (await upsert(billing())).body;
    const workflowId = await deploy({ nodes });
    const digestOf = async () =>
      (await own('GET', `/api/workflows/${workflowId}?expansion=nodes`)).body.nodes[0].appDigest;
    expect(await digestOf()).toBe(first.digest);
    const second = (await upsert(billing({ description: 'New' }))).body;
    expect(await digestOf()).toBe(first.digest);
    await upsert(billing({ slug: 'unused' }));
    const listed = await own('GET', '/api/apps?filterBy=slug:billing&expansion=usedBy');
    expect(listed.body).toMatchObject([{ slug: 'billing', usedBy: [{ id: workflowId }], usedByTotal: 1 }]);
    const all = (await own('GET', '/api/apps?expansion=usedBy')).body as { slug: string; usedByTotal: number }[];
    expect(all.map(({ slug, usedByTotal }) => [slug, usedByTotal])).toEqual([
      ['billing', 1],
      ['unused', 0],
    ]);
    const used = await own('DELETE', '/api/apps/billing');
    expect([used.status, used.body.code, used.body.usedBy]).toMatchObject([
      409,
      'IN_USE',
      [{ type: 'workflow', id: workflowId }],
    ]);
    expect(second.digest).not.toBe(first.digest);
    expect((await own('DELETE', `/api/workflows/${workflowId}`)).status).toBe(200);
    expect((await own('DELETE', '/api/apps/billing')).body).toEqual({ id: first.id, deleted: true });
    expect((await own('GET', '/api/workflow-apps/billing')).status).toBe(404);
  });

  test('is refused with a wrong input, and in another workspace', async () => {
    const { api: own, projectId, upsert } = await makeApps();
    await upsert(billing());
    const body = { slug: 'w', nodes: [action('pay', 'billing.charge', { amount: 'x' })], edges: [] };
    const wrong = await own('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
    expect(wrong.body.errors).toMatchObject([{ path: 'nodes[0].inputs.amount' }]);
    const other = await makeApps();
    const absent = await other.api('POST', `/api/projects/${other.projectId}/workflows/upsert`, {
      body: { slug: 'w', nodes, edges: [] },
    });
    expect(absent.body.errors).toMatchObject([{ path: 'nodes[0].appId', message: 'there is no app billing' }]);
  });
});

test('credentials of an app are checked by its type, and keep the app from being deleted', async () => {
  const { api: own, upsert } = await makeApps();
  await upsert(billing());
  const connect = (credentials: object) =>
    own('POST', '/api/workflow-apps/billing/connections/key/connect', { body: { credentials } });
  expect((await connect({ nope: 'x' })).status).toBe(400);
  const { body } = await connect({ apiKey: 'top-secret' });
  expect(body.status).toBe('connected');
  const { body: used } = await own('DELETE', '/api/apps/billing');
  expect(used.usedBy).toEqual([{ type: 'connection', id: body.id, name: body.name }]);
});

test('a builder does not write apps', async () => {
  const { api: own, projectId, url } = await makeApps();
  const permissions = [...ROLE_PERMISSIONS.builder];
  const { body } = await own('POST', '/api/api-keys', { body: { name: 'builder', permissions } });
  const builder = api(url, body.apiKey);
  const { status } = await builder('POST', `/api/projects/${projectId}/apps/upsert`, { body: billing() });
  expect([status, (await builder('GET', '/api/apps')).body]).toEqual([403, []]);
  expect((await builder('GET', '/api/apps?expansion=usedBy')).status).toBe(403);
});

test('the audit log has who wrote and deleted an app, and never its secret', async () => {
  const { api: own, upsert } = await makeApps();
  const { id } = (await upsert(billing())).body;
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  await upsert(billing({ secret }));
  await own('DELETE', '/api/apps/billing');
  const { body: log } = await own('GET', '/api/audit-log');
  const entry = { resourceType: 'app', resourceId: id, outcome: 'success', actor: { type: 'apiKey' } };
  expect(log).toMatchObject([
    { action: 'deleteApp', ...entry },
    { action: 'upsertApp', ...entry },
    { action: 'upsertApp', ...entry },
  ]);
  expect(JSON.stringify(log)).not.toContain('whsec_');
});

test('a content is stored under its SHA-256', async () => {
  const { api: own, apiKey, url } = await makeApps();
  const text = `openapi: 3.1.0 # ${randomUUID()}`;
  const digest = createHash('sha256').update(text).digest('hex');
  const put = (of: string) =>
    fetch(`${url}/api/apps/contents/${of}`, {
      method: 'PUT',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/octet-stream' },
      body: text,
    });
  expect(await (await put(digest)).json()).toEqual({ digest, bytes: text.length });
  expect((await put('0'.repeat(64))).status).toBe(400);
  expect((await own('GET', '/api/apps')).body).toEqual([]);
});

describe('a bundle', () => {
  const { slug: _, ...manifest } = billing();
  const app = { kind: 'app', slug: 'billing', ...manifest };
  const workflow = {
    kind: 'workflow',
    slug: 'pay',
    nodes: [action('pay', 'billing.charge', { amount: 1 })],
    edges: [],
  };

  test('applies an app with a workflow that uses it, and exports both', async () => {
    const { api: own, projectId } = await makeApps();
    const apply = (resources: object[], more = {}) =>
      own('POST', `/api/projects/${projectId}/apply`, { body: { resources, ...more } });
    const first = await apply([workflow, app]);
    expect(first.body.plan).toMatchObject([
      { kind: 'app', slug: 'billing', action: 'create' },
      { kind: 'workflow', slug: 'pay', action: 'create' },
    ]);
    const { body: exported } = await own('GET', `/api/projects/${projectId}/export`);
    expect(exported.resources[0]).toEqual({
      ...{ kind: 'app', slug: 'billing', name: 'Billing', runs: manifest.runs },
      connectionTypes: [
        {
          ...{ connectionId: 'key', name: 'key', type: 'apiKey' },
          fields: [{ key: 'apiKey', label: 'apiKey', type: 'secret', required: true }],
        },
      ],
      actions: [{ actionId: 'charge', name: 'charge', inputConfig: { fields: FIELDS } }],
    });
    expect(exported.resources[1].nodes[0].appDigest).toBeUndefined();
    const again = await apply(exported.resources, { dryRun: true });
    expect(again.body.plan.map((each: { action: string }) => each.action)).toEqual(['unchanged', 'unchanged']);
  });

  test('moves its workflows to a changed app, and deletes no app that others use', async () => {
    const { api: own, projectId, upsert, deploy } = await makeApps();
    const apply = (resources: object[], more = {}) =>
      own('POST', `/api/projects/${projectId}/apply`, { body: { resources, ...more } });
    await apply([workflow, app]);
    const other = { ...app, description: 'Other' };
    const { body: changed } = await apply([workflow, other]);
    expect(changed.plan).toMatchObject([
      { kind: 'app', changes: [{ path: 'description', from: '', to: 'Other' }] },
      { kind: 'workflow', changes: [{ path: 'nodes.pay.appDigest' }] },
    ]);
    const { body: stored } = await own('GET', '/api/apps');
    const { body: same } = await upsert({ ...billing(), description: 'Other' });
    expect(same.digest).toBe(stored[0].digest);
    const byHand = await deploy({ slug: 'mine', nodes: workflow.nodes });
    const gone = await apply([], { delete: true });
    expect([gone.status, gone.body.errors]).toMatchObject([
      400,
      [{ path: 'delete', message: expect.stringContaining('app billing cannot be deleted: workflow mine uses it') }],
    ]);
    await own('DELETE', `/api/workflows/${byHand}`);
    expect((await apply([], { delete: true })).status).toBe(200);
    expect((await own('GET', '/api/apps')).body).toEqual([]);
  });

  test('reports a wrong app at its place', async () => {
    const { api: own, projectId } = await makeApps();
    const body = { resources: [{ ...app, actions: [{ actionId: 'a b' }] }] };
    const { body: refused } = await own('POST', `/api/projects/${projectId}/apply`, { body });
    expect(refused.errors).toMatchObject([{ path: 'resources[0].actions[0].actionId' }]);
  });
});
