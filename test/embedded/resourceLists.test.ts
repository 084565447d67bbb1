// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import { Problem } from '../../domain/problem.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';
import { countedPage } from '../../prisma/store/countedPage.ts';
import { deleteResource } from '../../prisma/store/deleteResource.ts';
import { countByStatus } from '../../prisma/store/execution/countByStatus.ts';
import { type ListOptions, listResource } from '../../prisma/store/listResource.ts';
import type { Order, OrderKey } from '../../prisma/store/order.ts';
import { readResource } from '../../prisma/store/readResource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { addBox, addThings, BOX, keyOfWorkspace, makeTables, THING } from '../setup/database/things.ts';

let own: MigratedDatabase;

beforeAll(async () => {
  own = await startMigratedDatabase();
  await makeTables(own.database);
});

afterAll(() => own.dispose());

async function walk(viewer: Viewer, limit: number, options: ListOptions, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listResource(own.database, viewer, THING, query, options);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    ids.push(...page.items.map(({ id }) => String(id)));
    cursor = page.nextCursor;
    await between();
  } while (cursor !== undefined);
  return ids;
}

async function touch(ids: readonly string[]): Promise<void> {
  await rowsOf(own.database, Prisma.sql`UPDATE things SET updated_at = now() WHERE id = ANY (${ids}::uuid[])`);
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Problem ? `${error.code} ${error.message}` : `${error}`;
}

const direction = fc.constantFrom('asc' as const, 'desc' as const);
const KEYS = {
  number: (way) => ({ sql: Prisma.sql`t.number`, type: 'int', direction: way }),
  label: (way) => ({ sql: Prisma.sql`t.label`, type: 'text', direction: way, nullable: true }),
  attribute: (way) => ({ sql: Prisma.sql`t.value -> 'a'`, type: 'json', direction: way, nullable: true }),
  createdAt: (way) => ({ sql: Prisma.sql`t.created_at`, type: 'time', direction: way }),
} satisfies Record<string, (way: 'asc' | 'desc') => OrderKey>;

const BY_ID: Order = { name: 'id', keys: [{ sql: Prisma.sql`t.id`, type: 'uuid', direction: 'asc' }] };

test('any order, page by page, is the whole list: each row once, in order', async () => {
  const thing = fc.record({
    number: fc.integer({ min: -2, max: 2 }),
    label: fc.constantFrom(null, 'a', 'B', 'ä', "it's", ''),
    value: fc.oneof(
      fc.constant({}),
      fc.record({
        a: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double({ noNaN: true }), fc.constantFrom('x', true)),
      }),
    ),
  });
  const keys = fc.uniqueArray(fc.constantFrom(...(Object.keys(KEYS) as (keyof typeof KEYS)[])), { minLength: 1 });
  const asked = fc.tuple(keys, fc.array(direction, { minLength: 4, maxLength: 4 }));
  const run = fc.asyncProperty(
    fc.array(thing, { maxLength: 25 }),
    asked,
    fc.integer({ min: 1, max: 9 }),
    async (things, [names, ways], limit) => {
      const viewer = keyOfWorkspace();
      await addThings(own.database, viewer, things);
      const made = names.map((name, index) => KEYS[name](ways[index] ?? 'asc'));
      const order: Order = { name: 'made', keys: made as [OrderKey, ...OrderKey[]] };
      const whole = await walk(viewer, 1_000, { order });
      expect(new Set(whole).size).toBe(things.length);
      expect(await walk(viewer, limit, { order })).toEqual(whole);
    },
  );
  await fc.assert(run, { numRuns: 60 });
});

test('priority, the higher first, then age, the older first; numbers as numbers, nothing last', async () => {
  const viewer = keyOfWorkspace();
  const [low, firstHigh] = await addThings(own.database, viewer, [{ number: 1 }, { number: 9, value: { a: 10 } }]);
  const [secondHigh] = await addThings(own.database, viewer, [{ number: 9, value: { a: 9 } }]);
  const byPriority: Order = { name: 'priority', keys: [KEYS.number('desc'), KEYS.createdAt('asc')] };
  expect(await walk(viewer, 1, { order: byPriority })).toEqual([firstHigh, secondHigh, low]);
  const byAttribute: Order = { name: 'attributes.a', keys: [KEYS.attribute('asc')] };
  expect(await walk(viewer, 1, { order: byAttribute })).toEqual([secondHigh, firstHigh, low]);
});

test('rows that move while somebody pages are not lost: each is shown, unchanged ones once, changed ones twice at most', async () => {
  const run = fc.asyncProperty(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 6 }),
    fc.array(fc.array(fc.nat(19), { maxLength: 4 }), { maxLength: 12 }),
    async (count, limit, changes) => {
      const viewer = keyOfWorkspace();
      const ids = await addThings(
        own.database,
        viewer,
        Array.from({ length: count }, () => ({})),
      );
      const changed = new Set<string>();
      const left = [...changes];
      const seen = await walk(viewer, limit, {}, async () => {
        const some = (left.shift() ?? []).map((at) => ids[at % count] ?? '');
        for (const id of some) changed.add(id);
        await touch(some);
      });
      const times = new Map(ids.map((id) => [id, seen.filter((each) => each === id).length]));
      for (const id of ids) {
        expect(times.get(id)).toBeGreaterThanOrEqual(1);
        expect(times.get(id)).toBeLessThanOrEqual(changed.has(id) ? 2 : 1);
      }
    },
  );
  await fc.assert(run, { numRuns: 60 });
});

test('a list ends though its rows change all the time, and new ones come', async () => {
  const viewer = keyOfWorkspace();
  const ids = await addThings(
    own.database,
    viewer,
    Array.from({ length: 12 }, () => ({})),
  );
  const seen = await walk(viewer, 2, {}, async () => {
    await touch(ids);
    await addThings(own.database, viewer, [{}, {}, {}]);
  });
  // Rows created in the same millisecond as the first page may be included.
  expect(seen.length).toBeLessThanOrEqual(2 * 12 + 3);
  for (const id of ids) expect(seen).toContain(id);
});

// The embedded database has one session, so nothing runs while a page is read.
const withSessions = process.env.DATABASE_URL ? test : test.skip;
withSessions('a change that began before the first page and is seen after it is not lost', async () => {
  const viewer = keyOfWorkspace();
  const ids = await addThings(
    own.database,
    viewer,
    Array.from({ length: 5 }, () => ({})),
  );
  const other = new pg.Client({ connectionString: own.url });
  await other.connect();
  await other.query('BEGIN');
  // The oldest row, which is on the last page until it is updated.
  await other.query(
    'UPDATE things SET updated_at = now() WHERE id = (SELECT min(id::text)::uuid FROM things WHERE workspace_id = $1)',
    [viewer.workspaceId],
  );
  let pages = 0;
  const seen = await walk(viewer, 2, {}, async () => {
    pages += 1;
    if (pages === 1) await other.query('COMMIT');
  });
  await other.end();
  expect(new Set(seen)).toEqual(new Set(ids));
});

test('a list of a parent: its own rows, and 404 where the parent is not there or not to be seen', async () => {
  const viewer = keyOfWorkspace();
  const [boxId, otherId] = [await addBox(own.database, viewer), await addBox(own.database, viewer)];
  const [mine] = await addThings(own.database, viewer, [{ boxId }, { boxId: otherId }]);
  const list = (id: string, who = viewer) => listResource(own.database, who, THING, {}, { scope: { boxId: id } });
  expect((await list(boxId)).items).toEqual([{ id: mine }]);
  expect(await codeOf(list(v7()))).toBe('NOT_FOUND The box does not exist');
  expect(await codeOf(list(boxId, keyOfWorkspace()))).toBe('NOT_FOUND The box does not exist');
  const read = (scope: string) => readResource(own.database, viewer, THING, mine ?? '', { scope: { boxId: scope } });
  expect(await read(boxId)).toEqual({ id: mine });
  expect(await codeOf(read(otherId))).toBe('NOT_FOUND The thing does not exist');
  await deleteResource(own.database, viewer, BOX, boxId);
  expect(await codeOf(list(boxId))).toBe('NOT_FOUND The box does not exist');
  expect(await codeOf(read(boxId))).toBe('NOT_FOUND The thing does not exist');
  expect(await codeOf(deleteResource(own.database, viewer, BOX, boxId))).toBe('NOT_FOUND The box does not exist');
  expect(await readResource(own.database, viewer, BOX, boxId, { query: { includeType: 'deleted' } })).toEqual({
    id: boxId,
  });
  const page = countedPage(own.database, viewer, THING, {}, { limit: 5, offset: 0 }, { scope: { boxId } });
  expect(await codeOf(page)).toBe('NOT_FOUND The box does not exist');
});

test('a caller with access to some rows gets only these, in lists, totals and reads', async () => {
  const key = keyOfWorkspace();
  const userId = v7();
  const user: Viewer = { ...key, kind: 'user', userId };
  const [own1, theirs] = await addThings(own.database, key, [{ ownerId: userId }, { ownerId: v7() }]);
  const count = async (viewer: Viewer) =>
    (await countedPage(own.database, viewer, THING, {}, { limit: 1, offset: 0 })).total;
  expect([await count(key), await count(user)]).toEqual([2, 1]);
  expect((await listResource(own.database, user, THING, {})).items).toEqual([{ id: own1 }]);
  expect(await codeOf(readResource(own.database, user, THING, theirs ?? ''))).toBe(
    'NOT_FOUND The thing does not exist',
  );
});

test('a cursor of another order, parent or resource is refused', async () => {
  const viewer = keyOfWorkspace();
  const [boxId, otherId] = [await addBox(own.database, viewer), await addBox(own.database, viewer)];
  await addThings(own.database, viewer, [{ boxId }, { boxId }]);
  const { nextCursor: cursor = '' } = await listResource(
    own.database,
    viewer,
    THING,
    { limit: 1 },
    { scope: { boxId } },
  );
  const list = (options: ListOptions) => listResource(own.database, viewer, THING, { cursor }, options);
  expect((await list({ scope: { boxId } })).items).toHaveLength(1);
  const refused = 'VALIDATION_FAILED cursor: is not a cursor of this list';
  expect(await codeOf(list({}))).toBe(refused);
  expect(await codeOf(list({ scope: { boxId: otherId } }))).toBe(refused);
  const order: Order = { name: 'number', keys: [KEYS.number('asc')] };
  expect(await codeOf(list({ scope: { boxId }, order }))).toBe(refused);
  expect(await codeOf(listResource(own.database, viewer, BOX, { cursor }))).toBe(refused);
});

test('large values are shown until the answer is full; the others are links with their sizes', async () => {
  const viewer = keyOfWorkspace();
  const value = 'x'.repeat(998);
  const things = Array.from({ length: 8 }, (_, index) => ({ value: index === 5 ? 'x'.repeat(99_998) : value }));
  const ids = await addThings(own.database, viewer, [...things, { value: 'small' }]);
  const query = { expansion: 'value,label' };
  const list = (limit: number) =>
    listResource(own.database, viewer, THING, { ...query, limit }, { order: BY_ID, answerBytes: 4_000 });
  const { items } = await list(100);
  const left = (index: number, valueBytes: number) => ({
    id: ids[index],
    label: null,
    valueLink: `/things/${ids[index]}?expansion=value`,
    valueBytes,
  });
  expect(items.slice(0, 4)).toEqual(ids.slice(0, 4).map((id) => ({ id, label: null, value })));
  expect(items.slice(4, 8)).toEqual([left(4, 1_000), left(5, 100_000), left(6, 1_000), left(7, 1_000)]);
  expect(items[8]).toEqual({ id: ids[8], label: null, value: 'small' });
  expect((await list(5)).items[4]).toEqual(left(4, 1_000));
  expect(await readResource(own.database, viewer, THING, ids[5] ?? '', { query, answerBytes: 4_000 })).toEqual({
    id: ids[5],
    label: null,
    value: 'x'.repeat(99_998),
  });
});

test('a read of several large values has links for those that do not fit; alone, each is shown', async () => {
  const viewer = keyOfWorkspace();
  const [id = ''] = await addThings(own.database, viewer, [{ value: 'x'.repeat(2_998), other: 'y'.repeat(2_998) }]);
  const read = (expansion: string) =>
    readResource(own.database, viewer, THING, id, { query: { expansion }, answerBytes: 4_000 });
  const value = 'x'.repeat(2_998);
  expect(await read('value,other')).toEqual({ id, value, otherLink: `/others/${id}`, otherBytes: 3_000 });
  expect(await read('other')).toEqual({ id, other: 'y'.repeat(2_998) });
});

test('executions are counted by status, each as far as the limit', async () => {
  const { workspaceId } = await insertOwnExecution(own.database);
  await rowsOf(
    own.database,
    Prisma.sql`INSERT INTO executions (id, workspace_id, version_id, number, name, source, status, trigger, variables)
      SELECT gen_random_uuid(), workspace_id, version_id, n, 'w', 'WORKFLOW',
        CASE WHEN n % 2 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{}', '{}'
      FROM executions, generate_series(2, 12) n WHERE workspace_id = ${workspaceId}::uuid`,
  );
  const viewer: Viewer = { ...keyOfWorkspace(), workspaceId };
  const counts = (filterBy: string, most: number) => countByStatus(own.database, viewer, { filterBy }, most);
  const none = { RUNNING: 0, WAITING: 0, NEEDS_INPUT: 0, CANCELLED: 0, TIMED_OUT: 0 };
  expect(await counts('', 100)).toEqual({ ...none, PENDING: 1, COMPLETED: 5, FAILED: 6 });
  expect(await counts('', 5)).toEqual({ ...none, PENDING: 1, COMPLETED: 5, FAILED: 5 });
  expect(await counts('status:FAILED', 4)).toEqual({ ...none, PENDING: 0, COMPLETED: 0, FAILED: 4 });
});
