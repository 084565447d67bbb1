// test: pglite
import { expect, test } from '@jest/globals';
import { ITEM_MOVES } from '../../domain/queue/itemMoves.ts';
import { ITEM_STATUSES, type ItemStatus } from '../../domain/queue/itemStatus.ts';
import { poll } from '../setup/jest/poll.ts';
import { action } from '../setup/workspace/graph.ts';
import { newMember } from '../setup/workspace/people.ts';
import { makeQueue, type TestQueue } from '../setup/workspace/queue.ts';

const DEFAULTS = {
  externalId: null,
  status: 'PENDING',
  priority: 0,
  metadata: {},
  objectId: null,
  retryCount: 0,
  maxRetries: 3,
  retryDelayMinutes: 5,
  lastError: null,
};

/** UUIDv7 (RFC 9562): ids of all kinds sort by time. */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function itemIn(queue: TestQueue, status: ItemStatus, item: object = {}): Promise<string> {
  const { id } = await queue.add(item);
  const way = { PENDING: [], RETRYING: ['PROCESSING', 'RETRYING'] }[status as string] ?? [status];
  for (const to of way) expect((await queue.move(id, to)).status).toBe(200);
  return id;
}

test('an item is created, read, changed and deleted', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  const { isDuplicate, ...made } = await queue.add({ data: { a: [1, 'x'] } });
  expect([made, isDuplicate]).toEqual([{ ...DEFAULTS, id: made.id, data: { a: [1, 'x'] } }, false]);
  const at = `${path}/items/${made.id}`;
  const body = { data: { b: 2 }, metadata: { m: 1 }, priority: 9, maxRetries: 0, retryDelayMinutes: 1.5 };
  for (const method of ['PATCH', 'PUT']) expect((await own(method, at, { body })).body).toEqual({ ...made, ...body });
  expect((await own('PATCH', at, { body: { maxRetries: null } })).body.maxRetries).toBe(3);
  const times = await queue.read(made.id, 'createdAt,updatedAt,queue,lastExecution,object,errorHistory,history,lease');
  expect(times).toMatchObject({
    nextRetryAt: null,
    processingStartedAt: null,
    processingCompletedAt: null,
    lastErrorAt: null,
    scheduledFor: null,
    queue: { id: queue.queueId, name: 'Refunds', isActive: true },
    lastExecution: null,
    object: null,
    errorHistory: [],
    history: [],
    lease: null,
  });
  expect((await own('DELETE', at)).body).toEqual({ id: made.id, deleted: true });
  expect((await own('GET', at)).status).toBe(404);
  expect((await own('DELETE', at)).status).toBe(404);
});

test('a creation answers with what it wrote: as a read shows it, and PENDING even where a workflow takes it at once', async () => {
  const queue = await makeQueue();
  const given = {
    data: { n: 1e308, s: 'ü\u2028"', o: [] },
    metadata: { m: -0.5 },
    priority: 7,
    maxRetries: 2,
    externalId: 'e',
  };
  const { isDuplicate, ...made } = await queue.add(given);
  expect([isDuplicate, made]).toEqual([false, { ...DEFAULTS, ...given, id: made.id }]);
  expect(await queue.read(made.id)).toEqual(made);

  const nodes = [action('work', 'testing.succeed', { output: 1 })];
  const trigger = { id: 'trigger', type: 'queue', config: { queueId: queue.queueId } };
  const body = { slug: 'drains', name: 'Drains', trigger, nodes, edges: [] };
  const deployed = await queue.own('POST', `/api/projects/${queue.projectId}/workflows/upsert`, { body });
  expect(deployed.status).toBeLessThan(300);
  for (let count = 0; count < 10; count += 1) {
    const item = await queue.add();
    expect(item.status).toBe('PENDING');
    await poll(async () => (await queue.read(item.id)).status).toBe('COMPLETED');
  }
});

test('of a hundred concurrent creations of one externalId one makes the item', async () => {
  const queue = await makeQueue();
  const made = await Promise.all(
    Array.from({ length: 100 }, (_, n) => queue.add({ externalId: 'order-1', data: { n } })),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(made.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
  const external = await queue.own('GET', `${queue.path}/items/external/order-1`);
  expect(external.body.id).toBe(made[0].id);
  expect((await queue.own('GET', `${queue.path}/items/external/other`)).status).toBe(404);
  await queue.own('DELETE', `${queue.path}/items/${made[0].id}`);
  expect((await queue.add({ externalId: 'order-1' })).isDuplicate).toBe(false);
});

test.each(ITEM_STATUSES)('from %s every move follows the table of states', async (from) => {
  const queue = await makeQueue();
  for (const to of ITEM_STATUSES) {
    const id = await itemIn(queue, from);
    const answer = await queue.move(id, to, { errorMessage: 'e', note: 'n' });
    const allowed = ITEM_MOVES[from].includes(to);
    expect([from, to, answer.status]).toEqual([from, to, allowed ? 200 : 400]);
    if (!allowed) {
      const there = ITEM_MOVES[from].length > 0 ? `only to ${ITEM_MOVES[from].join(', ')}` : 'to no other status';
      const detail = `The item is ${from} and cannot move to ${to}: it may move ${there}`;
      expect(answer.body).toMatchObject({ code: 'INVALID_TRANSITION', detail });
    }
    const after = await queue.read(id, 'history,errorHistory');
    expect(after.status).toBe(allowed ? to : from);
    if (!allowed) continue;
    expect(after.history.at(-1)).toMatchObject({ from, to, note: 'n', by: { type: 'apiKey' } });
    const errors = to === 'FAILED' || to === 'RETRYING' ? ['e'] : [];
    expect(after.errorHistory.map(({ message }: { message: string }) => message)).toEqual(errors);
    if (errors.length === 0) continue;
    expect(after.lastError).toBe('e');
    expect(after.errorHistory[0].id).toMatch(UUID_V7);
  }
});

test.each(ITEM_STATUSES.flatMap((from) => ITEM_MOVES[from].map((to) => [from, to] as const)))(
  'of twenty concurrent moves of an item from %s to %s one succeeds',
  async (from, to) => {
    const queue = await makeQueue();
    const id = await itemIn(queue, from);
    const answers = await Promise.all(Array.from({ length: 20 }, () => queue.move(id, to)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    const { history } = await queue.read(id, 'history');
    expect(history.filter((move: { from: string; to: string }) => move.from === from && move.to === to)).toHaveLength(
      1,
    );
  },
);

test('errors spend retries, then the item fails; a retry by hand spends none', async () => {
  const queue = await makeQueue({ maxRetries: 1, retryDelayMinutes: 10 });
  const { own, path } = queue;
  const id = await itemIn(queue, 'PROCESSING');
  const at = `${path}/items/${id}`;
  const error = (body: object) => own('POST', `${at}/error?expansion=createdAt,errorHistory`, { body });
  const first = await error({ error: 'one' });
  expect(first).toMatchObject({ status: 201, body: { status: 'RETRYING', retryCount: 1, lastError: 'one' } });
  expect(Date.parse(first.body.nextRetryAt) - Date.parse(first.body.lastErrorAt)).toBe(600_000);
  expect(await error({ error: 'again' })).toMatchObject({ status: 400, body: { code: 'INVALID_TRANSITION' } });
  expect((await own('GET', `${path}/items/ready`)).body).toEqual([]);
  expect(await own('POST', `${at}/retry`)).toMatchObject({ status: 400, body: { code: 'RETRY_NOT_ALLOWED' } });
  await queue.move(id, 'PROCESSING');
  const last = await error({ error: { message: 'two', code: 'X', details: { a: 1 } } });
  expect(last).toMatchObject({ status: 201, body: { status: 'FAILED', retryCount: 1, nextRetryAt: null } });
  expect((await own('GET', `${at}/errors`)).body).toMatchObject([
    { message: 'one', code: null, details: null, attempt: 1, by: { type: 'apiKey' } },
    { message: 'two', code: 'X', details: { a: 1 }, attempt: 2 },
  ]);
  const page = await own('GET', `${at}/errors?limit=1`);
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  expect([page.body, (await own('GET', next)).body]).toMatchObject([[{ message: 'one' }], [{ message: 'two' }]]);
  expect(await own('POST', `${at}/retry`)).toMatchObject({ status: 400, body: { code: 'RETRY_NOT_ALLOWED' } });
  expect(await queue.move(id, 'RETRYING')).toMatchObject({ status: 400, body: { code: 'RETRY_NOT_ALLOWED' } });
  await own('PATCH', at, { body: { maxRetries: 2 } });
  expect(await own('POST', `${at}/retry`)).toMatchObject({ status: 201, body: { status: 'RETRYING', retryCount: 1 } });
  for (const list of ['ready', 'retry'])
    expect((await own('GET', `${path}/items/${list}`)).body).toMatchObject([{ id }]);
});

test('ready lists by priority, then creation; scheduled items wait; an inactive queue has none', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  const low = await queue.add({ priority: -5 });
  const [first, second] = [await queue.add({ priority: 3 }), await queue.add({ priority: 3 })];
  await queue.add({ priority: 99, scheduledFor: new Date(Date.now() + 3_600_000).toISOString() });
  const past = await queue.add({ scheduledFor: '2020-01-01T00:00:00Z' });
  const ready = async (query = '') =>
    (await own('GET', `${path}/items/ready${query}`)).body.map(({ id }: { id: string }) => id);
  expect(await ready()).toEqual([first.id, second.id, past.id, low.id]);
  expect(await ready('?priority=3')).toEqual([first.id, second.id]);
  expect(await ready('?limit=1')).toEqual([first.id]);
  await own('PATCH', `${path}/items/${first.id}`, { body: { scheduledFor: '2099-01-01T00:00:00Z' } });
  expect(await ready()).toEqual([second.id, past.id, low.id]);
  await own('POST', `${path}/deactivate`);
  expect(await ready()).toEqual([]);
  expect((await own('POST', `${path}/items/claim`, { body: { limit: 5 } })).body).toEqual([]);
  expect((await queue.add()).status).toBe('PENDING');
});

test('pages have their total; filters, search and status narrow them; % and _ are themselves', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  await queue.add({ externalId: 'a_1', data: { text: 'Straße 100%' }, priority: 1 });
  await queue.add({ externalId: 'ab1', data: { deep: [{ n: 4711 }] }, metadata: { by: 'Needle' } });
  await itemIn(queue, 'COMPLETED', { externalId: 'done', data: { text: '100 percent' } });
  const page = (at: string) => own('GET', `${path}/items${at}`);
  const ids = async (at: string) => (await page(at)).body.items.map((item: { externalId: string }) => item.externalId);
  expect(await ids('')).toEqual(['a_1', 'ab1', 'done']);
  expect((await page('?limit=2&offset=1')).body.pagination).toEqual({ total: 3, limit: 2, offset: 1, hasMore: false });
  expect((await page('?limit=1')).body.pagination).toEqual({ total: 3, limit: 1, offset: 0, hasMore: true });
  expect(await ids('?filterBy=status:COMPLETED')).toEqual(['done']);
  expect(await ids('?filterBy=status:PENDING|COMPLETED')).toEqual(['a_1', 'ab1', 'done']);
  expect(await ids('?filterBy=externalId:ab1')).toEqual(['ab1']);
  expect(await ids('?filterBy=priority:1')).toEqual(['a_1']);
  expect(await ids('?filterBy=createdAfter:2099-01-01T00:00:00Z')).toEqual([]);
  expect(await ids('/status/COMPLETED')).toEqual(['done']);
  expect((await page('/status/OTHER')).status).toBe(400);
  for (const [text, found] of [
    ['needle', ['ab1']],
    ['4711', ['ab1']],
    ['100%25', ['a_1']],
    ['a_', ['a_1']],
    ['straße', ['a_1']],
    ['deep', []],
    ['done', ['done']],
  ] as const) {
    expect([text, await ids(`/search?filterBy=search:${text}`)]).toEqual([text, found]);
  }
  expect((await page('?filterBy=other:1')).status).toBe(400);
  expect((await page('?limit=501')).status).toBe(400);
  const [held] = (await own('POST', `${path}/items/claim`, { body: { limit: 1, worker: 'desk,3' } })).body;
  expect(await ids('?filterBy=worker:desk%252C3')).toEqual(['a_1']);
  expect(await ids('?filterBy=worker:desk')).toEqual([]);
  await own('PATCH', `${path}/items/${held.id}/status`, { body: { status: 'COMPLETED' } });
  expect(await ids('?filterBy=worker:desk%252C3')).toEqual([]);
});

test('one call creates ten thousand items once, in order; existing ones are skipped, returned or updated', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  const items = Array.from({ length: 10_000 }, (_, n) => ({ externalId: `o-${n}`, data: { n } }));
  const made = await own('POST', `${path}/items/bulk`, { body: { items } });
  expect(made.status).toBe(201);
  expect(made.body.summary).toEqual({ requested: 10_000, created: 10_000, updated: 0, skipped: 0, existing: 0 });
  expect(made.body.items.map((item: { data: { n: number } }) => item.data.n)).toEqual(items.map(({ data }) => data.n));
  const listed = await own('GET', `${path}/items?limit=3`);
  expect(listed.body.items.map((item: { externalId: string }) => item.externalId)).toEqual(['o-0', 'o-1', 'o-2']);
  const bulk = (duplicates: string, given: object[]) =>
    own('POST', `${path}/items/bulk`, { body: { items: given, options: { duplicates } } });
  const two = [{ externalId: 'o-1', data: { n: 'x' }, priority: 5 }, { data: {} }];
  const skipped = await bulk('skip', two);
  expect([skipped.body.items.length, skipped.body.summary]).toEqual([
    1,
    { requested: 2, created: 1, updated: 0, skipped: 1, existing: 0 },
  ]);
  const returned = await bulk('return', two);
  expect(returned.body.items.map((item: { isDuplicate: boolean }) => item.isDuplicate)).toEqual([true, false]);
  expect(returned.body.items[0].data).toEqual({ n: 1 });
  await queue.move(made.body.items[2].id, 'COMPLETED');
  const updated = await bulk('update', [...two, { externalId: 'o-2', data: { n: 'y' } }]);
  expect(updated.body.summary).toEqual({ requested: 3, created: 1, updated: 1, skipped: 1, existing: 0 });
  expect(await queue.read(made.body.items[1].id)).toMatchObject({ data: { n: 'x' }, priority: 5 });
  const ids = made.body.items.map((item: { id: string }) => item.id);
  const change = { itemIds: [ids[9], ids[8], 'no id'], update: { priority: 100, metadata: { late: true } } };
  const changed = await own('PATCH', `${path}/items/bulk`, { body: change });
  expect(changed.body.map((item: { id: string; priority: number }) => [item.id, item.priority])).toEqual([
    [ids[9], 100],
    [ids[8], 100],
  ]);
  await queue.move(ids[0], 'PROCESSING');
  const deleted = await own('DELETE', `${path}/items/bulk`, { body: { itemIds: ids } });
  expect(deleted.body).toEqual({ requested: 10_000, deleted: 9_999 });
  expect((await own('DELETE', `${path}/items/${ids[0]}`)).status).toBe(409);
  expect((await own('GET', `${path}/stats`)).body).toMatchObject({ total: 4, counts: { PENDING: 3, PROCESSING: 1 } });
});

test('of several concurrent creations of one set each item is made once', async () => {
  const queue = await makeQueue();
  const items = Array.from({ length: 300 }, (_, n) => ({ externalId: `o-${n}`, data: {} }));
  const answers = await Promise.all(
    [items, [...items].reverse(), items, items].map((given) =>
      queue.own('POST', `${queue.path}/items/bulk`, { body: { items: given, options: { duplicates: 'return' } } }),
    ),
  );
  const created = answers.reduce((sum, { body }) => sum + body.summary.created, 0);
  expect(answers.map(({ status, body }) => [status, body.items.length])).toEqual(Array(4).fill([201, 300]));
  expect(created).toBe(300);
});

test('bulk writes of the same items at once wait for each other, and none fails', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  const items = Array.from({ length: 60 }, (_, n) => ({ externalId: `i-${n}`, data: { n } }));
  const { body } = await own('POST', `${path}/items/bulk`, { body: { items } });
  const ids: string[] = body.items.map(({ id }: { id: string }) => id);
  const backwards = [...ids].reverse();
  const options = { duplicates: 'update' };
  const writes = Array.from({ length: 8 }, (_, n) => {
    const itemIds = n % 2 === 0 ? ids : backwards;
    const same = n % 2 === 0 ? items : [...items].reverse();
    return [
      own('PATCH', `${path}/items/bulk`, { body: { itemIds, update: { priority: n } } }),
      own('POST', `${path}/items/bulk`, { body: { items: same, options } }),
      own('DELETE', `${path}/items/bulk`, { body: { itemIds: itemIds.slice(0, 10) } }),
    ];
  });
  const answers = await Promise.all(writes.flat());
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 201]);
  const page = (await own('GET', `${path}/items?limit=500`)).body;
  expect(page.pagination.total).toBe(page.items.length);
  expect(page.items.length).toBeGreaterThanOrEqual(50);
  expect(new Set(page.items.map(({ externalId }: { externalId: string }) => externalId)).size).toBe(page.items.length);
});

test('one of many simultaneous ends of a lease counts; the others, and repetitions, get the same answer', async () => {
  const queue = await makeQueue({ retryDelayMinutes: 0 });
  const { own, path } = queue;
  const { id } = await queue.add();
  const claimed = async () => (await own('POST', `${path}/items/claim`, { body: {} })).body[0].lease.number;
  const all = (end: () => ReturnType<typeof own>) => Promise.all(Array.from({ length: 20 }, end));
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

  let lease = await claimed();
  const report = () => own('POST', `${path}/items/${id}/error`, { body: { error: 'wrong', lease } });
  expect(statusesOf(await all(report))).toEqual(Array(20).fill(201));
  lease = await claimed();
  const complete = () => queue.move(id, 'COMPLETED', { lease });
  expect(statusesOf(await all(complete))).toEqual(Array(20).fill(200));
  expect(await complete()).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  const { history, errorHistory } = await queue.read(id, 'history,errorHistory');
  expect(errorHistory).toHaveLength(1);
  expect(history.map(({ to }: { to: string }) => to)).toEqual(['PROCESSING', 'RETRYING', 'PROCESSING', 'COMPLETED']);
});

test('an end without a lease number overrides the holder of the item, whose number becomes invalid', async () => {
  const queue = await makeQueue({ retryDelayMinutes: 60 });
  const { own, path } = queue;
  const { call: operator } = await newMember(queue, 'operator');
  for (const end of ['error', 'status'] as const) {
    const { id } = await queue.add();
    const [{ lease }] = (await own('POST', `${path}/items/claim`, { body: { leaseMs: 600_000 } })).body;
    const ended = await (end === 'error'
      ? operator('POST', `${path}/items/${id}/error`, { body: { error: 'by hand' } })
      : operator('PATCH', `${path}/items/${id}/status`, {
          body: { status: 'PENDING', scheduledFor: '2099-01-01T00:00:00.000Z' },
        }));
    expect([ended.status, ended.body.status]).toEqual(end === 'error' ? [201, 'RETRYING'] : [200, 'PENDING']);
    for (const late of [
      await queue.move(id, 'COMPLETED', { lease: lease.number }),
      await own('POST', `${path}/items/${id}/error`, { body: { error: 'late', lease: lease.number } }),
      await own('POST', `${path}/items/${id}/heartbeat`, { body: { leaseMs: 1_000, lease: lease.number } }),
    ]) {
      expect(late).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
    }
    expect((await queue.read(id)).status).toBe(end === 'error' ? 'RETRYING' : 'PENDING');
  }
});

test('a claim is one caller’s while its lease holds; one that ran out returns the item and spends a retry', async () => {
  const queue = await makeQueue({ retryDelayMinutes: 0 });
  const { own, path } = queue;
  await Promise.all(Array.from({ length: 6 }, () => queue.add()));
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      own('POST', `${path}/items/claim`, { body: { limit: 1, leaseMs: 60_000, worker: `w${n}` } }),
    ),
  );
  const taken = claims.flatMap(({ body }) => body);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(6);
  expect(taken).toHaveLength(6);
  const [{ id, lease }, other] = taken;
  const beat = (body: object) => own('POST', `${path}/items/${id}/heartbeat`, { body });
  expect((await beat({ leaseMs: 120_000 })).body.lease).toMatchObject({ number: lease.number, worker: lease.worker });
  expect(await beat({ lease: lease.number + 1 })).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect(await beat({ worker: 'nobody' })).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });
  expect(await queue.move(id, 'COMPLETED', { lease: lease.number + 1 })).toMatchObject({ status: 409 });
  expect(await queue.move(id, 'COMPLETED', { lease: lease.number })).toMatchObject({ status: 200 });
  const late = { status: 'PENDING', scheduledFor: '2099-01-01T00:00:00.000Z', note: 'later' };
  expect((await queue.move(other.id, 'PENDING', late)).body.status).toBe('PENDING');
  expect(await beat({})).toMatchObject({ status: 409, body: { code: 'LEASE_LOST' } });

  const [short] = (await own('POST', `${path}/items/claim`, { body: {} })).body;
  expect(short).toBeUndefined();
  const next = await queue.add();
  await own('POST', `${path}/items/claim`, { body: { leaseMs: 100 } });
  let item = await queue.read(next.id, 'errorHistory');
  while (item.status === 'PROCESSING') item = await queue.read(next.id, 'errorHistory');
  const [expiry] = item.errorHistory;
  expect(item).toMatchObject({ status: 'RETRYING', retryCount: 1, errorHistory: [{ code: 'LEASE_EXPIRED' }] });
  expect(expiry.id).toMatch(UUID_V7);
  expect(Number.parseInt(expiry.id.slice(0, 13).replace('-', ''), 16)).toBe(Date.parse(expiry.at));
});

test('bad bodies of every operation are refused, and change nothing', async () => {
  const queue = await makeQueue();
  const { own, path } = queue;
  const { id } = await queue.add({ externalId: 'kept', data: { kept: true } });
  const at = `${path}/items/${id}`;
  for (const [method, where, body] of [
    ['POST', `${path}/items`, {}],
    ['POST', `${path}/items`, { data: 'text' }],
    ['POST', `${path}/items`, { data: {}, externalId: '' }],
    ['POST', `${path}/items`, { data: {}, priority: 'high' }],
    ['POST', `${path}/items`, { data: {}, scheduledFor: 'soon' }],
    ['POST', `${path}/items`, { data: {}, scheduledFor: '2026-02-30T10:00:00Z' }],
    ['POST', `${path}/items/bulk`, { items: [{ data: {}, scheduledFor: '2026-02-28T10:00:00+20:13' }] }],
    ['PATCH', at, { scheduledFor: '0000-01-01T00:00:00Z' }],
    ['PATCH', `${at}/status`, { status: 'PENDING', scheduledFor: '2026-02-28T29:00:00Z' }],
    ['POST', `${path}/items`, { data: {}, objectId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f' }],
    ['POST', `${path}/items`, { data: {}, status: 'COMPLETED' }],
    ['POST', `${path}/items/bulk`, { items: [] }],
    ['POST', `${path}/items/bulk`, { items: [{ data: {} }, {}] }],
    ['POST', `${path}/items/bulk`, { items: [{ data: {} }], options: { duplicates: 'keep' } }],
    ['PATCH', `${path}/items/bulk`, { itemIds: [id], update: { status: 'FAILED' } }],
    ['PATCH', `${path}/items/bulk`, { itemIds: [id] }],
    ['DELETE', `${path}/items/bulk`, {}],
    ['PATCH', at, { status: 'COMPLETED' }],
    ['PATCH', at, { data: [] }],
    ['PATCH', `${at}/status`, {}],
    ['PATCH', `${at}/status`, { status: 'DONE' }],
    ['PATCH', `${at}/status`, { status: 'COMPLETED', scheduledFor: '2099-01-01T00:00:00Z' }],
    ['POST', `${at}/error`, {}],
    ['POST', `${at}/error`, { error: {} }],
    ['POST', `${at}/link-execution`, {}],
    ['POST', `${path}/items/claim`, { limit: 501 }],
    ['POST', `${at}/heartbeat`, { leaseMs: 1 }],
  ] as const) {
    const answer = await own(method, where, { body });
    expect([method, where, body, answer.status, answer.body.code]).toEqual([
      method,
      where,
      body,
      400,
      'VALIDATION_FAILED',
    ]);
  }
  const { body } = await own('GET', `${path}/items`);
  expect(body.items).toEqual([{ ...DEFAULTS, id, externalId: 'kept', data: { kept: true } }]);
});

test('an item links an execution and shows an entity; the entity lists its items across queues', async () => {
  const queue = await makeQueue();
  const { own, path, projectId } = queue;
  await own('POST', '/api/object-types/upsert', { body: { slug: 'order' } });
  const object = await own('POST', '/api/objects', { body: { objectTypeSlug: 'order', name: 'Order 7' } });
  const objectId = object.body.id;
  const { id } = await queue.add({ objectId });
  await queue.add();
  const run = { appId: 'core', actionId: 'transform', inputs: { value: 1 } };
  const { executionId } = (await own('POST', '/api/actions/run', { body: run })).body;
  const at = `${path}/items/${id}/link-execution?expansion=lastExecution,object`;
  const linked = await own('POST', at, { body: { executionId } });
  expect(linked.body).toMatchObject({
    lastExecution: { id: executionId, status: 'COMPLETED' },
    object: { id: objectId, name: 'Order 7', state: null },
  });
  const unknown = await own('POST', at, { body: { executionId: queue.queueId } });
  expect([unknown.status, projectId.length]).toEqual([404, 36]);
  const items = await own('GET', `/api/objects/${objectId}/queue-items`);
  expect(items.body).toMatchObject({
    items: [{ id, queue: { id: queue.queueId }, object: { id: objectId } }],
    pagination: { total: 1, limit: 50, offset: 0, hasMore: false },
  });
  const pending = (status: string) => own('GET', `/api/objects/${objectId}/queue-items?status=${status}`);
  expect((await pending('PENDING|FAILED')).body.pagination.total).toBe(1);
  expect((await pending('FAILED')).body.pagination.total).toBe(0);
  expect((await pending('OTHER')).status).toBe(400);
});

test('statistics count all items', async () => {
  const queue = await makeQueue();
  for (const priority of [-1, 0, 10, 100]) await queue.add({ priority });
  await queue.move(await itemIn(queue, 'PROCESSING'), 'COMPLETED');
  await queue.move(await itemIn(queue, 'PROCESSING'), 'FAILED', { error: 'e' });
  const { body } = await queue.own('GET', `${queue.path}/items/stats`);
  expect(body).toMatchObject({
    byStatus: { PENDING: 4, PROCESSING: 0, RETRYING: 0, COMPLETED: 1, FAILED: 1, CANCELLED: 0 },
    byPriority: { low: 1, normal: 3, high: 1, critical: 1 },
    averageProcessingMs: expect.any(Number),
    retryRate: 0,
  });
  const shown = await queue.own('GET', `${queue.path}?expansion=statistics,itemCounts`);
  expect(shown.body.statistics).toMatchObject({ total: 6, completedLast24h: 1, failedLast24h: 1 });
  expect(shown.body.itemCounts).toEqual(body.byStatus);
});
