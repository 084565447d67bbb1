import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);
const greeting = { appId: 'core', actionId: 'set', inputs: { values: { greeting: 'Hello {{ trigger.name }}' } } };

interface Found {
  code: string;
  severity: string;
  path: string;
  nodeId?: string;
  message: string;
}

async function problemsOf(body: object): Promise<Found[]> {
  const answer = await call('POST', '/api/workflows/validate', { body });
  expect(answer.status).toBe(200);
  expect(answer.body.valid).toBe(!answer.body.problems.some(({ severity }: Found) => severity === 'error'));
  return answer.body.problems;
}

const invalid = { code: 'INVALID', severity: 'error' };

test('a definition that an upsert accepts is valid: steps, a graph, with and without a project', async () => {
  expect(await problemsOf({ slug: 'a', steps: [greeting] })).toEqual([]);
  expect(await problemsOf({ slug: 'a', projectId, nodes: [{ id: 'n', type: 'action', ...greeting }] })).toEqual([]);
});

test('all mistakes are listed at once, with places and nodes; nothing is stored', async () => {
  const slug = `w-${randomUUID()}`;
  const missing = randomUUID();
  const problems = await problemsOf({
    slug,
    projectId: missing,
    name: '',
    colour: 'red',
    nodes: [
      { id: 'a', type: 'action', appId: 'core', actionId: 'nope' },
      { id: 'b', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: '{{ 1 + }}' } },
      { id: 'c', type: 'action', ...greeting, connectionId: missing },
      { id: 'd', type: 'nothing' },
      { id: 'e', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: '{{ steps.zzz.output }}' } },
    ],
    edges: [{ id: 'e', source: 'b', target: 'nowhere' }],
  });
  expect(problems).toEqual(
    expect.arrayContaining([
      { ...invalid, path: 'projectId', message: `there is no project ${missing}` },
      expect.objectContaining({ path: 'name' }),
      expect.objectContaining({ path: 'colour' }),
      expect.objectContaining({ path: 'nodes[0].actionId', nodeId: 'a' }),
      expect.objectContaining({ path: 'nodes[1].inputs.value', nodeId: 'b' }),
      { ...invalid, path: 'nodes[2].connectionId', nodeId: 'c', message: `there is no connection ${missing}` },
      expect.objectContaining({ path: 'nodes[3].type', nodeId: 'd' }),
      expect.objectContaining({ path: 'nodes[4].inputs.value', nodeId: 'e' }),
      expect.objectContaining({ path: expect.stringMatching(/^edges\[0\]/) }),
    ]),
  );
  const list = await call('GET', '/api/workflows?limit=1000&includeType=all&expansion=slug');
  expect(list.body.map((workflow: { slug: string }) => workflow.slug)).not.toContain(slug);
});

test('mistakes in steps have places in steps', async () => {
  const missing = randomUUID();
  const problems = await problemsOf({ slug: 'a', steps: [greeting, { ...greeting, id: 'x', connectionId: missing }] });
  expect(problems).toEqual([
    { ...invalid, path: 'steps[1].connectionId', nodeId: 'x', message: `there is no connection ${missing}` },
  ]);
  expect((await problemsOf({ slug: 'Not A Slug', steps: 'none' })).map(({ path }) => path).toSorted()).toEqual([
    'slug',
    'steps',
  ]);
  expect((await problemsOf({})).map(({ path }) => path).toSorted()).toEqual(['slug', 'steps']);
});

test('every definition that an upsert refuses is invalid, at the same places', async () => {
  const wrong = [
    { slug: 'a', steps: [{ appId: 'core' }] },
    { slug: 'a', steps: [greeting], nodes: [] },
    { slug: 'a', nodes: [{ id: 'n', type: 'condition', inputs: {} }], edges: [] },
    { slug: 'a', trigger: { id: 'trigger', type: 'webhook', config: { secret: '********' } }, nodes: [], edges: [] },
  ];
  for (const body of wrong) {
    const refused = await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
    expect(refused.status).toBe(400);
    const paths = (await problemsOf({ ...body, projectId })).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(refused.body.errors.map(({ path }: { path: string }) => path)));
  }
});

test('a warning does not make a definition invalid, and its upsert is accepted', async () => {
  const slug = `w-${randomUUID()}`;
  const nodes = [
    { id: 'c', type: 'condition', inputs: { condition: false } },
    { id: 'n', type: 'action', ...greeting },
  ];
  const body = { slug, name: 'Warned', nodes, edges: [{ source: 'c', target: 'n', sourceHandle: 'true' }] };
  const answer = await call('POST', '/api/workflows/validate', { body });
  expect(answer.body).toEqual({
    valid: true,
    problems: [
      expect.objectContaining({ code: 'NEVER_REACHED', severity: 'warning', path: 'nodes[0].inputs.condition' }),
      expect.objectContaining({ code: 'NEVER_REACHED', severity: 'warning', path: 'nodes[1]', nodeId: 'n' }),
    ],
  });
  expect((await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body })).status).toBe(200);
});

test('a step that may be skipped has a fix, with which an upsert is accepted; warnings are not among its errors', async () => {
  const slug = `w-${randomUUID()}`;
  const nodes = (condition: unknown, value: string) => [
    { id: 'c', type: 'condition', inputs: { condition } },
    { id: 'never', type: 'condition', inputs: { condition: true } },
    { id: 'ask', type: 'action', ...greeting },
    { id: 'end', type: 'action', appId: 'core', actionId: 'transform', inputs: { value } },
  ];
  const edges = [
    { source: 'c', target: 'ask', sourceHandle: 'true' },
    { source: 'c', target: 'end', sourceHandle: 'false' },
    { source: 'ask', target: 'end' },
  ];
  const upsert = (value: string) =>
    call('POST', `/api/projects/${projectId}/workflows/upsert`, {
      body: { slug, name: 'Skipped', nodes: nodes('{{ trigger.x }}', value), edges },
    });
  const refused = await upsert('{{ steps.ask.output }}');
  const path = 'nodes[3].inputs.value';
  const value = '{{ steps.?ask.output.orValue(null) }}';
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([
    {
      ...{ code: 'STEP_MAY_BE_SKIPPED', severity: 'error', path, nodeId: 'end' },
      message: expect.stringContaining('ask may be skipped'),
      fix: { label: expect.any(String), edits: [{ path, value }] },
    },
  ]);
  expect((await upsert(value)).status).toBe(200);
});

test('a circle of workflows is reported at the node that leads into it; an upsert accepts it', async () => {
  const [one, other] = [`one-${randomUUID()}`, `other-${randomUUID()}`];
  const calls = (slug: string) => ({ id: 'next', type: 'runWorkflow', inputs: { slug } });
  const upsert = async (slug: string, name: string, ...nodes: object[]) => {
    const body = { slug, name, nodes, edges: [] };
    const { status } = await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
    expect(status).toBe(200);
  };
  const message = (path: string) => [
    { ...invalid, path: 'nodes[1].inputs.slug', nodeId: 'next', message: expect.stringContaining(path) },
  ];
  const plain = { id: 'n', type: 'action', ...greeting };

  await upsert(other, 'Other', calls(one));
  const body = { slug: one, name: 'One', projectId, nodes: [plain, calls(other)], edges: [] };
  expect(await problemsOf(body)).toEqual(message('One → Other → One'));
  expect(await problemsOf({ ...body, nodes: [plain, calls(one)] })).toEqual(message('One → One'));
  // The body replaces the stored workflow, so no circle is left.
  await upsert(one, 'One', calls(other));
  expect(await problemsOf(body)).toEqual(message('One → Other → One'));
  expect(await problemsOf({ ...body, nodes: [plain, calls('nobody')] })).toEqual([]);
  expect(await problemsOf({ ...body, slug: 'third', name: 'Third' })).toEqual(message('Third → Other → One → Other'));
});

test("another workspace's workflow of that slug closes no circle", async () => {
  const other = await makeWorkspace();
  const slug = `theirs-${randomUUID()}`;
  const node = { id: 'next', type: 'runWorkflow', inputs: { slug } };
  const body = { slug, nodes: [node], edges: [] };
  const path = `/api/projects/${other.projectId}/workflows/upsert`;
  expect((await api(other.url, other.apiKey)('POST', path, { body })).status).toBe(200);
  expect(await problemsOf({ ...body, slug: 'mine', projectId })).toEqual([]);
});

test("another workspace's project and connection are none", async () => {
  const other = await makeWorkspace();
  const connect = '/api/workflow-apps/http/connections/apiKey/connect';
  const made = await api(other.url, other.apiKey)('POST', connect, {
    body: { credentials: { apiKey: 'v', allowedHosts: ['127.0.0.1'] } },
  });
  expect(made.status).toBe(200);
  const connectionId = made.body.id;
  const http = { appId: 'http', actionId: 'request', inputs: { method: 'GET', url: 'http://x.test' }, connectionId };
  const config = {
    appId: 'http',
    triggerId: 'poll',
    everyMs: 60_000,
    inputs: { url: 'http://x.test' },
    connectionId,
  };
  const trigger = { id: 'trigger', type: 'poll', config };
  const problems = await problemsOf({ slug: 'a', projectId: other.projectId, trigger, steps: [http] });
  expect(problems.map(({ path }) => path).toSorted()).toEqual([
    'projectId',
    'steps[0].connectionId',
    'trigger.config.connectionId',
  ]);
});
