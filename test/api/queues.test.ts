import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeQueue } from '../setup/workspace/queue.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

test('a queue has its defaults, is read, changed and counted', async () => {
  const { url, apiKey, projectId } = await makeWorkspace();
  const own = api(url, apiKey);
  const all = 'createdAt,updatedAt,description,project,workspace,createdByWorkspaceUser,statistics,itemCounts';
  const made = await own('POST', `/api/queues?projectId=${projectId}&expansion=${all}`, { body: { name: 'Refunds' } });
  const { id } = made.body;
  const counts = { PENDING: 0, PROCESSING: 0, RETRYING: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };
  expect([made.status, made.body]).toEqual([
    201,
    {
      id,
      name: 'Refunds',
      priority: 0,
      isActive: true,
      maxRetries: 3,
      retryDelayMinutes: 5,
      batchSize: 10,
      maxConcurrent: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: made.body.createdAt,
      description: null,
      project: { id: projectId, name: 'First project' },
      workspace: expect.objectContaining({ name: expect.any(String) }),
      createdByWorkspaceUser: null,
      statistics: { total: 0, completedLast24h: 0, failedLast24h: 0, averageProcessingMs: null, retryRate: 0 },
      itemCounts: counts,
    },
  ]);
  const body = { name: 'Returns', priority: 7, maxRetries: 0, retryDelayMinutes: 0.5, batchSize: 500, isActive: false };
  for (const method of ['PATCH', 'PUT']) {
    const changed = await own(method, `/api/queues/${id}`, { body });
    expect(changed).toMatchObject({ status: 200, body: { id, maxConcurrent: 1, ...body } });
  }
  expect((await own('PATCH', `/api/queues/${id}`, { body: {} })).body).toMatchObject(body);
  expect((await own('GET', `/api/queues/${id}/stats`)).body).toEqual({ queueId: id, total: 0, counts });
  expect((await own('GET', '/api/queues')).body).toEqual([{ id, name: 'Returns', priority: 7, isActive: false }]);
});

test('a list of queues says how old the oldest item in the line is, and which workflows start for its items', async () => {
  const home = await makeHome();
  const make = async (name: string) =>
    (await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name, isActive: false } })).body.id;
  const busy = await make('Busy');
  await make('Idle');
  const add = async (body: object) =>
    (await home.api('POST', `/api/queues/${busy}/items?expansion=createdAt`, { body: { data: {}, ...body } })).body;
  await add({ scheduledFor: new Date(Date.now() + 3_600_000).toISOString() });
  const oldest = await add({ priority: -5 });
  const second = await add({ priority: 50 });
  const trigger = { id: 'trigger', type: 'queue', config: { queueId: busy } } as never;
  const nodes = [action('a', 'core.set', { values: { a: 1 } })];
  const refund = await home.deploy({ name: 'Refund', trigger, nodes, isActive: false });
  const first = await home.deploy({ name: 'Notify', trigger, nodes });
  const workflows = [
    { id: first, name: 'Notify', isActive: true },
    { id: refund, name: 'Refund', isActive: false },
  ];
  const read = async (call = home.api) =>
    (await call('GET', '/api/queues?expansion=oldestReadyAt,workflows')).body.map(
      ({ name, oldestReadyAt, workflows: starts }: Record<string, unknown>) => [name, oldestReadyAt, starts],
    );
  expect(await read()).toEqual([
    ['Busy', oldest.createdAt, workflows],
    ['Idle', null, []],
  ]);
  const one = await home.api('GET', `/api/queues/${busy}?expansion=oldestReadyAt,workflows`);
  expect(one.body).toMatchObject({ oldestReadyAt: oldest.createdAt, workflows });
  const stranger = await keyOf(home, 'queues:read');
  expect(await read(stranger.call)).toEqual([
    ['Busy', oldest.createdAt, null],
    ['Idle', null, null],
  ]);
  expect(await read((await makeHome()).api)).toEqual([]);
  await home.api('DELETE', `/api/queues/${busy}/items/${oldest.id}`);
  expect((await read())[0].slice(0, 2)).toEqual(['Busy', second.createdAt]);
  await home.api('DELETE', `/api/queues/${busy}/items/${second.id}`);
  expect((await read())[0].slice(0, 2)).toEqual(['Busy', null]);
});

test('a queue names its creator', async () => {
  const { url, email, password, projectId } = await makeWorkspace();
  const login = await api(url)('POST', '/api/auth/login', { body: { email, password } });
  const made = await api(url, login.body.access_token)(
    'POST',
    `/api/queues?projectId=${projectId}&expansion=createdByWorkspaceUser`,
    { body: { name: 'Mine' } },
  );
  expect(made.body.createdByWorkspaceUser).toMatchObject({ email });
});

test('lists go by priority, then creation; filters narrow them; they leave out the fields of a single read', async () => {
  const { url, apiKey, projectId } = await makeWorkspace();
  const own = api(url, apiKey);
  for (const [name, priority, isActive] of [
    ['a 10%', 0, true],
    ['b', 5, true],
    ['c', 0, false],
  ] as const) {
    await own('POST', `/api/queues?projectId=${projectId}`, { body: { name, priority, isActive } });
  }
  const list = (query: string) => own('GET', `/api/queues?${query}`);
  expect(names(await list(''))).toEqual(['b', 'a 10%', 'c']);
  expect(names(await list('filterBy=isActive:true'))).toEqual(['b', 'a 10%']);
  expect(names(await list('filterBy=priority:0'))).toEqual(['a 10%', 'c']);
  expect(names(await list('filterBy=search:0%25'))).toEqual(['a 10%']);
  expect(names(await list('filterBy=search:_'))).toEqual([]);
  expect(names(await list(`filterBy=projectId:${projectId}`))).toEqual(['b', 'a 10%', 'c']);
  expect((await list('expansion=maxRetries')).status).toBe(400);
  const first = await list('limit=2');
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect([...names(first), ...names(await own('GET', next))]).toEqual(['b', 'a 10%', 'c']);
});

test('a deleted queue is hidden unless requested; its items stay; it takes no writes; it can be restored', async () => {
  const queue = await makeQueue();
  const { own, path, queueId } = queue;
  const { id } = await queue.add({ externalId: 'x' });
  expect((await own('DELETE', path)).body).toEqual({ id: queueId, deleted: true });
  expect((await own('DELETE', path)).status).toBe(404);
  expect((await own('GET', path)).status).toBe(404);
  expect((await own('GET', '/api/queues')).body).toEqual([]);
  expect((await own('GET', '/api/queues?includeType=deleted')).body).toHaveLength(1);
  const shown = await own('GET', `${path}?includeType=deleted&expansion=deletedAt`);
  expect(shown.body).toMatchObject({ isActive: false, deletedAt: expect.any(String) });
  expect((await own('GET', `${path}/items`)).body.pagination.total).toBe(1);
  expect((await queue.read(id)).externalId).toBe('x');
  const item = `${path}/items/${id}`;
  for (const [method, at, body] of [
    ['PATCH', path, { name: 'n' }],
    ['PATCH', `${path}?includeType=deleted`, { name: 'n' }],
    ['POST', `${path}/activate`],
    ['POST', `${path}/deactivate`],
    ['POST', `${path}/items`, { data: {} }],
    ['POST', `${path}/items`, { externalId: 'x', data: {} }],
    ['POST', `${path}/items`, { data: {}, objectId: id }],
    ['POST', `${path}/items/bulk`, { items: [{ data: {} }] }],
    ['PATCH', `${path}/items/bulk`, { itemIds: [id], update: { priority: 1 } }],
    ['DELETE', `${path}/items/bulk`, { itemIds: [id] }],
    ['POST', `${path}/items/claim`, {}],
    ['PATCH', item, { priority: 1 }],
    ['DELETE', item],
    ['PATCH', `${item}/status`, { status: 'CANCELLED' }],
    ['POST', `${item}/retry`],
    ['POST', `${item}/error`, { error: 'e' }],
  ] as const) {
    const { status, body: answer } = await own(method, at, body === undefined ? {} : { body });
    expect([method, at, status, answer.code]).toEqual([method, at, 409, 'CONFLICT']);
  }
  const restored = await own('POST', `${path}/restore`);
  expect(restored).toMatchObject({ status: 200, body: { id: queueId, isActive: false } });
  expect((await own('POST', `${path}/restore`)).status).toBe(200);
  expect((await own('POST', `${path}/activate`)).body.isActive).toBe(true);
  expect((await own('POST', `${path}/activate`)).status).toBe(200);
  expect((await own('GET', `${path}/items/ready`)).body).toHaveLength(1);
});

test('bad bodies are refused with their place, and nothing is stored', async () => {
  const { url, apiKey, projectId } = await makeWorkspace();
  const own = api(url, apiKey);
  const create = `/api/queues?projectId=${projectId}`;
  for (const [body, path] of [
    [{}, ''],
    [{ name: '' }, 'name'],
    [{ name: 'n', batchSize: 0 }, 'batchSize'],
    [{ name: 'n', batchSize: 501 }, 'batchSize'],
    [{ name: 'n', maxRetries: -1 }, 'maxRetries'],
    [{ name: 'n', retryDelayMinutes: -1 }, 'retryDelayMinutes'],
    [{ name: 'n', priority: 1.5 }, 'priority'],
    [{ name: 'n', isActive: 'yes' }, 'isActive'],
    [{ name: 'n', other: 1 }, 'other'],
  ] as const) {
    const answer = await own('POST', create, { body });
    expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'VALIDATION_FAILED']);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([
      path === '' ? expect.any(String) : path,
    ]);
  }
  expect((await own('POST', '/api/queues', { body: { name: 'n' } })).status).toBe(400);
  const { projectId: theirs } = await makeWorkspace();
  expect((await own('POST', `/api/queues?projectId=${theirs}`, { body: { name: 'n' } })).status).toBe(404);
  expect((await own('GET', '/api/queues?includeType=deleted')).body).toEqual([]);
});

test('under one Idempotency-Key one queue is made', async () => {
  const { url, apiKey, projectId } = await makeWorkspace();
  const own = api(url, apiKey);
  const again = { body: { name: 'once' }, headers: { 'idempotency-key': 'k' } };
  const answers = [];
  for (let i = 0; i < 2; i += 1) answers.push(await own('POST', `/api/queues?projectId=${projectId}`, again));
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect((await own('GET', '/api/queues')).body).toHaveLength(1);
});
