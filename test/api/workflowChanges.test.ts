import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const POLL = { timeout: 40_000, interval: 200 };
const done = action('done', 'core.set', { values: { done: true } });
const ALL = 'slug,version,description,isActive,maxConcurrent,timeoutMs,onFailureWorkflowId,nextScheduledExecution';

const change = (home: Home, workflowId: string, body: object, query = `?expansion=${ALL}`) =>
  home.api('PATCH', `/api/workflows/${workflowId}${query}`, { body });
const shown = async (home: Home, workflowId: string) =>
  (await home.api('GET', `/api/workflows/${workflowId}?expansion=${ALL}`)).body;

async function open(home: Home, slug: string, more: object = {}): Promise<string> {
  const body = { slug, nodes: [done], edges: [], managedByCode: false, ...more };
  const { body: made } = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body });
  return made.id;
}

test('each field can be changed by itself, by PATCH and by PUT; the version and the other fields stay', async () => {
  const home = await makeHome();
  const [id, other] = [await open(home, 'changing'), await open(home, 'handler')];
  const before = await shown(home, id);
  const CHANGES = [
    ['name', 'Another name'],
    ['description', 'For refunds'],
    ['isActive', false],
    ['maxConcurrent', 3],
    ['timeoutMs', 31_536_000_000],
    ['onFailureWorkflowId', other],
    ['description', null],
    ['maxConcurrent', null],
    ['timeoutMs', null],
    ['onFailureWorkflowId', null],
  ] as const;
  let expected = before;
  for (const [member, value] of CHANGES) {
    expected = { ...expected, [member]: value };
    expect((await change(home, id, { [member]: value })).body).toEqual(expected);
  }
  const put = await home.api('PUT', `/api/workflows/${id}`, { body: { isActive: true } });
  expect(put.body).toEqual({ id, name: 'Another name' });
  expect(await shown(home, id)).toEqual({ ...expected, isActive: true, version: 1 });
  expect((await change(home, id, {}, '')).body).toEqual({ id, name: 'Another name' });
});

test('of a workflow that code manages only isActive changes; all else is refused, whatever it says', async () => {
  const home = await makeHome();
  const id = await home.deploy({ slug: 'by-code', nodes: [done] });
  const before = await shown(home, id);
  for (const body of [
    { name: 'x' },
    { maxConcurrent: 1 },
    { isActive: false, description: 'x' },
    { name: before.name },
  ]) {
    const refused = await change(home, id, body);
    expect([refused.status, refused.body.code]).toEqual([409, 'MANAGED_BY_CODE']);
  }
  expect(await shown(home, id)).toEqual(before);
  expect((await change(home, id, { isActive: false })).body).toEqual({ ...before, isActive: false });
});

test('the error workflow is another one of the workspace, and setting it needs the right to start it', async () => {
  const [home, elsewhere] = [await makeHome(), await makeHome()];
  const [id, other] = [await open(home, 'a'), await open(home, 'b')];
  const foreign = await open(elsewhere, 'c');
  for (const wrong of [id, foreign]) {
    const refused = await change(home, id, { onFailureWorkflowId: wrong });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'onFailureWorkflowId']);
  }
  const made = await home.api('POST', '/api/api-keys', {
    body: { name: 'writer', permissions: ['workflows:read', 'workflows:write'] },
  });
  const writer = api(home.url, made.body.apiKey);
  const path = `/api/workflows/${id}`;
  expect((await writer('PATCH', path, { body: { onFailureWorkflowId: other } })).status).toBe(403);
  expect((await writer('PATCH', path, { body: { onFailureWorkflowId: null } })).status).toBe(200);
  expect((await elsewhere.api('PATCH', path, { body: { name: 'x' } })).status).toBe(404);
});

test('an inactive workflow starts nothing, and its schedule goes and comes back', async () => {
  const home = await makeHome();
  const trigger = { id: 'trigger' as const, type: 'schedule' as const, config: { everyMs: 3_600_000 } };
  const id = await open(home, 'hourly', { trigger });
  expect((await shown(home, id)).nextScheduledExecution).not.toBeNull();
  expect((await change(home, id, { isActive: false })).body.nextScheduledExecution).toBeNull();
  const start = await home.api('POST', `/api/executions/workflows/${id}/execute`, { body: {} });
  expect([start.status, start.body.code]).toEqual([400, 'WORKFLOW_NOT_EXECUTABLE']);
  await change(home, id, { isActive: true });
  await poll(async () => (await shown(home, id)).nextScheduledExecution, POLL).not.toBeNull();
});

test('a limit counts what runs already, and a raised one starts what is held', async () => {
  const home = await makeHome();
  const id = await open(home, 'asks', { nodes: [question('ask'), done], edges: chain('ask', 'done') });
  const first = await home.execute(id);
  await home.asked(first, 'ask');
  await change(home, id, { maxConcurrent: 1 });
  const held = await Promise.all([home.execute(id), home.execute(id)]);
  const isHeld = async () => Promise.all(held.map(async (each) => (await home.read(each, 'held')).held));
  expect(await isHeld()).toEqual([true, true]);
  await change(home, id, { maxConcurrent: 3 });
  await Promise.all(held.map((each) => home.asked(each, 'ask')));
  expect(await isHeld()).toEqual([false, false]);
});
