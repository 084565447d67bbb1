// test: pglite

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { ITEM_STATUSES, type ItemStatus, PRIORITY_BANDS } from '../../domain/queue/itemStatus.ts';
import { EVERY_BUCKET } from '../../engine/duties/heldBuckets.ts';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { DueItems } from '../../engine/queues/dueItems.ts';
import { QUEUE_CHANNEL, QueueFeed } from '../../engine/queues/queueFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { deleteMany } from '../../prisma/store/bulkWrites.ts';
import { foldCounts } from '../../prisma/store/queue/foldCounts.ts';
import { readStats } from '../../prisma/store/queue/readStats.ts';
import { createItems } from '../../prisma/store/queueItem/createItems.ts';
import { promoteDue } from '../../prisma/store/queueItem/dueItems.ts';
import { failExpiredLeases, failItem } from '../../prisma/store/queueItem/failItem.ts';
import { claimItems } from '../../prisma/store/queueItem/lease.ts';
import { listReady } from '../../prisma/store/queueItem/listReady.ts';
import { moveItem, moveItemOnce, RETRY } from '../../prisma/store/queueItem/moveItem.ts';
import { readyItems } from '../../prisma/store/queueItem/readyItems.ts';
import { QUEUE_ITEM } from '../../prisma/store/queueItem/resource.ts';
import { completeItem, failTakenItem, postponeItem } from '../../prisma/store/queueItem/settleItems.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

describe('items', () => {
  let own: MigratedDatabase;
  const workspaceId = v7();
  const projectId = v7();
  const viewer: Viewer = { workspaceId, permissions: new Set(), kind: 'apiKey', apiKeyId: v7() };
  const by = { type: 'platform' } as const;

  beforeAll(async () => {
    own = await startMigratedDatabase();
    await own.database.workspace.create({ data: { id: workspaceId, name: 'w' } });
    await own.database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
  });
  afterAll(() => own?.dispose());

  async function makeQueue(): Promise<string> {
    const id = v7();
    await own.database.queue.create({
      data: { id, workspaceId, projectId, name: 'q', maxRetries: 1, retryDelayMinutes: 0 },
    });
    return id;
  }

  /** Computes the band as the API contract defines it. */
  function bandOf(priority: number): (typeof PRIORITY_BANDS)[number] {
    if (priority < 0) return 'low';
    if (priority < 10) return 'normal';
    return priority < 100 ? 'high' : 'critical';
  }

  async function counted(queueId: string) {
    const items = await own.database.queueItem.findMany({ where: { queueId } });
    const spent = items.flatMap(({ processingStartedAt: from, processingCompletedAt: to }) =>
      from && to ? [to.getTime() - from.getTime()] : [],
    );
    const of = <Key extends string>(keys: readonly Key[], keyOf: (item: (typeof items)[number]) => string) =>
      Object.fromEntries(keys.map((key) => [key, items.filter((item) => keyOf(item) === key).length]));
    const sum = spent.reduce((all, one) => all + one, 0);
    return {
      byStatus: of(ITEM_STATUSES, ({ status }) => status),
      byPriority: of(PRIORITY_BANDS, ({ priority }) => bandOf(priority)),
      averageProcessingMs: spent.length === 0 ? null : Math.round((sum / spent.length) * 1_000) / 1_000,
      retryRate: items.length === 0 ? 0 : items.filter(({ retryCount }) => retryCount > 0).length / items.length,
    };
  }

  type Act =
    | { what: 'create'; priorities: number[] }
    | { what: 'claim'; limit: number }
    | { what: 'move'; nth: number; to: ItemStatus }
    | { what: 'fail' | 'retry' | 'delete' | 'prioritize'; nth: number }
    | { what: 'fold' };

  const nth = fc.nat(30);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      what: fc.constant('create' as const),
      priorities: fc.array(fc.constantFrom(-1, 0, 9, 10, 100), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({ what: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ what: fc.constant('move' as const), nth, to: fc.constantFrom(...ITEM_STATUSES) }),
    fc.record({
      what: fc.constantFrom('fail' as const, 'retry' as const, 'delete' as const, 'prioritize' as const),
      nth,
    }),
    fc.constant({ what: 'fold' as const }),
  );

  async function perform(queueId: string, done: Act): Promise<void> {
    const { database } = own;
    if (done.what === 'create') {
      const items = done.priorities.map((priority) => ({ id: v7(), data: { a: 1 }, priority }));
      await createItems(database, workspaceId, queueId, items, { duplicates: 'skip', by });
      return;
    }
    if (done.what === 'fold') return void (await foldCounts(database, 10));
    if (done.what === 'claim') {
      await claimItems(database, viewer, queueId, { id: v7(), limit: done.limit, leaseMs: 60_000, by });
      return;
    }
    const items = await database.queueItem.findMany({
      where: { queueId },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    const id = items[done.nth % Math.max(1, items.length)]?.id;
    if (id === undefined) return;
    const scope = { queueId };
    if (done.what === 'move') await moveItem(database, viewer, id, { to: done.to, by }, { scope });
    if (done.what === 'fail')
      await failItem(database, viewer, { queueId, itemId: id }, { message: 'm' }, { by, errorId: v7() });
    if (done.what === 'retry') await moveItemOnce(database, viewer, id, RETRY, { by, moveId: v7() }, { scope });
    if (done.what === 'delete') await deleteMany(database, viewer, QUEUE_ITEM, [id], scope);
    if (done.what === 'prioritize') await database.queueItem.update({ where: { id }, data: { priority: 100 } });
  }

  test('after any writes the statistics equal a count of the items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 15 }), async (acts) => {
        const queueId = await makeQueue();
        for (const done of acts) await perform(queueId, done);
        const expected = await counted(queueId);
        expect(await readStats(own.database, viewer, queueId, 'items')).toEqual(expected);
        await foldCounts(own.database, 1_000);
        expect(await readStats(own.database, viewer, queueId, 'items')).toEqual(expected);
        expect(await own.database.queueItemCount.count({ where: { queueId, isSum: false } })).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  test('one workspace never reaches the items of another', async () => {
    const queueId = await makeQueue();
    const item = { id: v7(), data: {} };
    await createItems(own.database, workspaceId, queueId, [item], { duplicates: 'skip', by });
    const stranger: Viewer = { ...viewer, workspaceId: v7() };
    expect(await claimItems(own.database, stranger, queueId, { id: v7(), limit: 5, leaseMs: 1_000, by })).toEqual([]);
    const place = { queueId, itemId: item.id };
    expect(await failItem(own.database, stranger, place, { message: 'm' }, { by, errorId: v7() })).toBeUndefined();
    expect(await deleteMany(own.database, stranger, QUEUE_ITEM, [item.id])).toBe(0);
    expect(await createItems(own.database, workspaceId, queueId, [item], { duplicates: 'skip', by })).toEqual([
      { id: item.id, outcome: 'created', status: 'PENDING' },
    ]);
  });

  test('the line is read by its index, however many items have ended and however many wait for a time', async () => {
    const queueId = await makeQueue();
    await own.database.pool.query(
      `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, priority, due_at, scheduled_for)
     SELECT gen_random_uuid(), $1, $2, '{}', '{}',
       CASE n % 3 WHEN 0 THEN 'COMPLETED' ELSE 'PENDING' END, 50,
       CASE n % 3 WHEN 1 THEN now() + interval '1 day' END, CASE n % 3 WHEN 1 THEN now() + interval '1 day' END
     FROM generate_series(1, 9000) n`,
      [workspaceId, queueId],
    );
    await own.database.pool.query('ANALYZE queue_items');
    const { sql, values } = withText(readyItems(workspaceId, Prisma.sql`${queueId}::uuid`, { limit: 10 }));
    const { rows } = await own.database.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${sql}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('queue_items_ready_idx');
    expect(plan).not.toContain('Seq Scan');
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{2,}/);
  });

  test('due retries are read by their index, however many other items are in the line or wait for their retry', async () => {
    const queueId = await makeQueue();
    await own.database.pool.query(
      `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, priority, due_at)
     SELECT gen_random_uuid(), $1, $2, '{}', '{}', CASE WHEN n % 3 = 0 OR n > 8980 THEN 'RETRYING' ELSE 'PENDING' END,
       CASE WHEN n > 8980 THEN -1 ELSE 50 END, CASE WHEN n % 3 = 0 AND n <= 8980 THEN now() + interval '1 day' END
     FROM generate_series(1, 9000) n`,
      [workspaceId, queueId],
    );
    await own.database.pool.query('ANALYZE queue_items');
    const retries = readyItems(workspaceId, Prisma.sql`${queueId}::uuid`, { limit: 10, only: 'RETRYING' });
    const { sql, values } = withText(retries);
    expect((await own.database.pool.query(sql, values)).rows).toHaveLength(10);
    const { rows } = await own.database.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${sql}`,
      values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('queue_items_ready_retries_idx');
    expect(plan).not.toMatch(/Rows Removed by Filter: \d{2,}/);
  });

  function withText(statement: Prisma.Sql) {
    return { sql: statement.text, values: statement.values };
  }

  test('a scheduled item becomes ready at its time; an expired lease spends a retry', async () => {
    const queueId = await makeQueue();
    const items = [
      { id: v7(), data: {}, scheduledFor: new Date(Date.now() + 3_600_000).toISOString() },
      { id: v7(), data: {}, scheduledFor: new Date(Date.now() - 1_000).toISOString(), priority: -1 },
    ];
    await createItems(own.database, workspaceId, queueId, items, { duplicates: 'skip', by });
    const ready = async () => (await listReady(own.database, viewer, queueId, { limit: 10 }, {})).map(({ id }) => id);
    expect(await ready()).toEqual([items[1]?.id]);
    await own.database.queueItem.updateMany({ where: { id: items[0]?.id ?? '' }, data: { dueAt: new Date(0) } });
    expect(await ready()).toEqual([items[0]?.id, items[1]?.id]);
    expect(await promoteDue(own.database, ALL_BUCKETS, 10)).toEqual([{ workspaceId, queueId, items: 1 }]);
    expect(await promoteDue(own.database, ALL_BUCKETS, 10)).toEqual([]);
    expect(await ready()).toEqual([items[0]?.id, items[1]?.id]);

    const [claimed] = await claimItems(own.database, viewer, queueId, { id: v7(), limit: 1, leaseMs: 60_000, by });
    expect(await failExpiredLeases(own.database, ALL_BUCKETS, 10)).toEqual([]);
    await own.database.queueItem.updateMany({
      where: { queueId, status: 'PROCESSING' },
      data: { leaseExpiresAt: new Date(0) },
    });
    const itemId = String(claimed?.id);
    expect(await failExpiredLeases(own.database, ALL_BUCKETS, 10)).toEqual([
      { workspaceId, queueId, itemId, status: 'RETRYING' },
    ]);
    const [error] = await own.database.queueItemError.findMany({ where: { itemId } });
    expect(error).toMatchObject({ code: 'LEASE_EXPIRED', attempt: 1 });
    const moves = await own.database.queueItemMove.findMany({ where: { itemId }, orderBy: { ordinal: 'asc' } });
    expect(moves.map(({ from, to }) => [from, to])).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PROCESSING', 'RETRYING'],
    ]);
  });

  test('a lease that ends wakes the timer of due items, without the reconciler', async () => {
    const queueId = await makeQueue();
    const feed = new QueueFeed();
    const log = pino({ level: 'silent' });
    const dueItems = new DueItems({ database: own.database, feed, buckets: EVERY_BUCKET, log });
    const channels = { [QUEUE_CHANNEL]: (payload: string) => feed.notified(payload) };
    const listener = new DatabaseListener({ url: own.url, channels, log });
    onTestFinished(async () => {
      await listener.stop();
      await dueItems.stop();
    });
    const id = v7();
    await createItems(own.database, workspaceId, queueId, [{ id, data: {} }], { duplicates: 'skip', by });
    let heard = 0;
    onTestFinished(
      feed.subscribe(() => {
        heard += 1;
      }),
    );
    // Notifications arrive, so it is listening.
    await poll(async () => {
      await own.database.pool.query(`SELECT pg_notify('perdure_queue', 'w q ')`);
      return heard;
    }).toBeGreaterThan(0);
    const claimed = await claimItems(own.database, viewer, queueId, { id: v7(), limit: 1, leaseMs: 300, by });
    expect(claimed).toMatchObject([{ id, status: 'PROCESSING' }]);
    const read = () => own.database.queueItem.findUnique({ where: { id }, select: { status: true, retryCount: true } });
    await poll(read).toEqual({ status: 'RETRYING', retryCount: 1 });
  });

  test('the text that a search looks through follows its item', async () => {
    const queueId = await makeQueue();
    const id = v7();
    const texts = async () =>
      (await own.database.queueItemText.findMany({ where: { queueId } })).map(({ itemId, text }) => [itemId, text]);
    await own.database.queueItem.create({
      data: { id, workspaceId, queueId, externalId: 'x1', data: { a: 'before' }, metadata: {} },
    });
    expect(await texts()).toEqual([[id, 'x1\nbefore']]);
    const [before] = await own.database.$queryRaw<{ row: string }[]>`
    SELECT xmin::text AS row FROM queue_item_texts WHERE item_id = ${id}::uuid`;
    expect(await claimItems(own.database, viewer, queueId, { id: v7(), limit: 1, leaseMs: 60_000, by })).toHaveLength(
      1,
    );
    const [after] = await own.database.$queryRaw<{ row: string }[]>`
    SELECT xmin::text AS row FROM queue_item_texts WHERE item_id = ${id}::uuid`;
    expect(after).toEqual(before);
    await own.database.queueItem.update({ where: { id }, data: { data: { a: 'after' } } });
    expect(await texts()).toEqual([[id, 'x1\nafter']]);
    await own.database.queue.delete({ where: { id: queueId } });
    expect(await texts()).toEqual([]);
  });

  test('a statement that changes many items writes only the texts of items with different values', async () => {
    const queueId = await makeQueue();
    const ids = Array.from({ length: 3 }, () => v7());
    await own.database.queueItem.createMany({
      data: ids.map((id, at) => ({ id, workspaceId, queueId, externalId: `x${at}`, data: { a: at }, metadata: {} })),
    });
    const texts = () =>
      own.database.$queryRaw<{ text: string; row: string }[]>`
      SELECT text, xmin::text AS row FROM queue_item_texts WHERE queue_id = ${queueId}::uuid ORDER BY item_id`;
    const before = await texts();
    await own.database.$transaction([
      own.database.queueItem.updateMany({ where: { queueId }, data: { priority: 5 } }),
      own.database
        .$executeRaw`UPDATE queue_items SET data = CASE WHEN external_id = 'x1' THEN data ELSE '{"a": "new"}' END
      WHERE queue_id = ${queueId}::uuid`,
    ]);
    const after = await texts();
    expect(after.map(({ text }) => text)).toEqual(['x0\nnew', 'x1\n1', 'x2\nnew']);
    expect(after[1]).toEqual(before[1]);
  });

  test('no trigger runs for each item', async () => {
    // 1: FOR EACH ROW (pg_trigger.h)
    const { rows } = await own.database.pool.query(
      "SELECT tgname FROM pg_trigger WHERE tgrelid = 'queue_items'::regclass AND NOT tgisinternal AND tgtype & 1 = 1",
    );
    expect(rows).toEqual([]);
  });

  test('a search looks at values, and has its index where the server has pg_trgm', async () => {
    const { rows } = await own.database.pool.query(`SELECT
    queue_item_text('x1', '{"key": ["in", {"deep": 12}], "no": null}', '{"m": true}') AS text,
    (SELECT count(*)::int FROM pg_available_extensions WHERE name = 'pg_trgm') AS available,
    (SELECT count(*)::int FROM pg_indexes WHERE indexname = 'queue_items_search_idx') AS indexes`);
    expect(rows[0].text.split('\n').sort()).toEqual(['12', 'in', 'true', 'x1']);
    expect(rows[0].indexes).toBe(rows[0].available);
    // The embedded database always has it.
    if (!process.env.DATABASE_URL) expect(rows[0].available).toBe(1);
  });
});

describe('settled items', () => {
  let own: MigratedDatabase;
  let database: Database;
  const place = { workspaceId: randomUUID(), projectId: randomUUID() };
  let queueId: string;
  let number = 0;
  const PAST = new Date(0);

  beforeAll(async () => {
    own = await startMigratedDatabase();
    database = own.database;
    await database.workspace.create({ data: { id: place.workspaceId, name: 'w' } });
    await database.project.create({ data: { id: place.projectId, workspaceId: place.workspaceId, name: 'p' } });
    queueId = await makeQueue(database, place, { retryDelayMinutes: 0 });
  });
  afterAll(() => own?.dispose());

  async function addItem(): Promise<string> {
    const [itemId = ''] = await addItems(database, place.workspaceId, queueId, [{}]);
    return itemId;
  }

  async function takenBy(itemId: string) {
    const executionId = v7();
    number += 1;
    await database.execution.create({
      data: {
        ...{ id: executionId, workspaceId: place.workspaceId, versionId: v7(), number, name: 'w', source: 'WORKFLOW' },
        ...{ status: 'RUNNING', trigger: {}, variables: {} },
      },
    });
    await database.queueItem.update({
      where: { id: itemId },
      data: { status: 'PROCESSING', executionId, lastExecutionId: executionId },
    });
    return { workspaceId: place.workspaceId, executionId };
  }

  const rowOf = (id: string) =>
    database.queueItem.findUnique({
      where: { id },
      select: { status: true, executionId: true, retryCount: true, scheduledFor: true },
    });

  const error = { message: 'm' };

  test('a postponement that is tried again after others took the item is repeated, and leaves it to them', async () => {
    const itemId = await addItem();
    const first = await takenBy(itemId);
    expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'settled' });
    expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
    const second = await takenBy(itemId);
    const theirs = await rowOf(itemId);
    expect(theirs).toMatchObject({ status: 'PROCESSING', executionId: second.executionId });
    expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
    expect(await completeItem(database, first, itemId)).toEqual({ status: 'PROCESSING', outcome: 'refused' });
    expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'PROCESSING', outcome: 'refused' });
    expect(await rowOf(itemId)).toEqual(theirs);
    expect(await completeItem(database, second, itemId)).toEqual({ status: 'COMPLETED', outcome: 'settled' });
    expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
    expect(await completeItem(database, second, itemId)).toEqual({ status: 'COMPLETED', outcome: 'repeated' });
  });

  test('an error that is tried again after others took the item spends no second retry', async () => {
    const itemId = await addItem();
    const first = await takenBy(itemId);
    expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'settled' });
    expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'repeated' });
    await takenBy(itemId);
    expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'repeated' });
    expect(await rowOf(itemId)).toMatchObject({ status: 'PROCESSING', retryCount: 1 });
  });

  test('an error that others reported of its item is not its own', async () => {
    const itemId = await addItem();
    const first = await takenBy(itemId);
    await database.queueItem.update({
      where: { id: itemId },
      data: { executionId: null, leaseWorker: 'w', leaseExpiresAt: PAST },
    });
    expect(await failExpiredLeases(database, ALL_BUCKETS, 10)).toMatchObject([{ itemId, status: 'RETRYING' }]);
    expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'refused' });
    expect(await rowOf(itemId)).toMatchObject({ status: 'RETRYING', retryCount: 1 });
  });
});
