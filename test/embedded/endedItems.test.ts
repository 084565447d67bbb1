// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import type { Database } from '../../prisma/client.ts';
import { STATISTICS } from '../../prisma/store/queue/counts.ts';
import { deleteOldEnds, foldEnds } from '../../prisma/store/queue/foldEnds.ts';
import { lockWaits } from '../setup/database/lockWaits.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { type Reading, reading } from '../setup/database/reading.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let own: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
});
afterAll(() => own?.dispose());

async function queueOfAWorkspace(): Promise<{ workspaceId: string; queueId: string }> {
  const workspaceId = await insertOwnWorkspace(database);
  const projectId = v7();
  await database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
  return { workspaceId, queueId: await makeQueue(database, { workspaceId, projectId }) };
}

interface Day {
  completedLast24h: number;
  failedLast24h: number;
}

/** Reads the statistics and counts the items in the same statement. */
async function daysOf(queueId: string): Promise<{ said: Day; counted: Day }> {
  const [row] = await database.$queryRaw<{ said: Day; counted: Day }[]>`
    SELECT ${STATISTICS} AS said, (SELECT json_build_object(
        'completedLast24h', count(*) FILTER (WHERE i.status = 'COMPLETED'), 'failedLast24h', count(*) FILTER (WHERE i.status = 'FAILED'))
      FROM queue_items i WHERE i.queue_id = t.id AND i.processing_completed_at > now() - interval '24 hours') AS counted
    FROM queues t WHERE t.id = ${queueId}::uuid`;
  if (!row) throw new Error('no queue');
  const { completedLast24h, failedLast24h } = row.said;
  return { said: { completedLast24h, failedLast24h }, counted: row.counted };
}

/** Returns the start of the five minutes that contain the time 24 hours ago. */
const dayBegins = () => Math.floor((Date.now() - DAY_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS;

type Act =
  | { what: 'end'; status: 'COMPLETED' | 'FAILED'; many: number; at: () => number }
  | { what: 'retry' | 'again' | 'delete'; nth: number }
  | { what: 'fold' };

const nth = fc.nat(20);
// Times around 24 hours ago, and at both ends of those five minutes.
const at = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((ms) => () => Date.now() - DAY_MS + ms),
  fc.constantFrom(-1, 0, 1).map((ms) => () => dayBegins() + ms),
  fc.constantFrom(-1, 0, 1).map((ms) => () => dayBegins() + 5 * MINUTE_MS + ms),
  fc.integer({ min: 0, max: 27 * 60 }).map((minutes) => () => Date.now() - minutes * MINUTE_MS),
);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    what: fc.constant('end' as const),
    status: fc.constantFrom('COMPLETED' as const, 'FAILED' as const),
    many: fc.integer({ min: 1, max: 3 }),
    at,
  }),
  fc.record({ what: fc.constantFrom('retry' as const, 'again' as const, 'delete' as const), nth }),
  fc.constant({ what: 'fold' as const }),
);

async function perform({ workspaceId, queueId }: { workspaceId: string; queueId: string }, done: Act): Promise<void> {
  if (done.what === 'fold') {
    await foldEnds(database, 100);
    await deleteOldEnds(database, 100);
    return;
  }
  if (done.what === 'end') {
    const ids = await addItems(database, workspaceId, queueId, Array(done.many).fill({}));
    const ended = { status: done.status, processingCompletedAt: new Date(done.at()), dueAt: null };
    await database.queueItem.updateMany({ where: { id: { in: ids } }, data: ended });
    return;
  }
  const items = await database.queueItem.findMany({ where: { queueId }, orderBy: { id: 'asc' }, select: { id: true } });
  const id = items[done.nth % Math.max(1, items.length)]?.id;
  if (id === undefined) return;
  if (done.what === 'delete') await database.queueItem.delete({ where: { id } });
  // The row keeps its last end until the next one.
  if (done.what === 'retry') await database.queueItem.update({ where: { id }, data: { status: 'RETRYING' } });
  if (done.what === 'again')
    await database.queueItem.update({
      where: { id },
      data: { status: 'COMPLETED', processingCompletedAt: new Date() },
    });
}

test('the ends of the last day are exact after any writes, at the edge of the day too', async () => {
  const strange = await queueOfAWorkspace();
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 12 }), async (acts) => {
      const queue = await queueOfAWorkspace();
      for (const done of acts) {
        await perform(queue, done);
        const { said, counted } = await daysOf(queue.queueId);
        expect(said).toEqual(counted);
      }
      await perform(queue, { what: 'fold' });
      const { said, counted } = await daysOf(queue.queueId);
      expect(said).toEqual(counted);
      const summands = await database.queueItemEnd.findMany({ where: { queueId: queue.queueId } });
      const places = summands.map(({ status, bucket }) => `${status} ${bucket.getTime()}`);
      expect(new Set(places).size).toBe(places.length);
      expect(summands.filter(({ isSum, workspaceId }) => !isSum || workspaceId !== queue.workspaceId)).toEqual([]);
    }),
    { numRuns: 25 },
  );
  expect((await daysOf(strange.queueId)).said).toEqual({ completedLast24h: 0, failedLast24h: 0 });
});

test('an end counts until it is a day old, not until its five minutes are', async () => {
  const queue = await queueOfAWorkspace();
  const begins = dayBegins();
  const edge = Date.now() - DAY_MS;
  await perform(queue, { what: 'end', status: 'FAILED', many: 2, at: () => Math.max(begins, edge - MINUTE_MS) });
  await perform(queue, { what: 'end', status: 'FAILED', many: 3, at: () => edge + 30 * MINUTE_MS });
  const { said, counted } = await daysOf(queue.queueId);
  expect(said).toEqual(counted);
  expect(said.failedLast24h).toBe(3);
});

test('ends older than a day are deleted, and none so old are added', async () => {
  const { workspaceId, queueId } = await queueOfAWorkspace();
  const summands = () => database.queueItemEnd.count({ where: { queueId } });
  await perform(
    { workspaceId, queueId },
    { what: 'end', status: 'COMPLETED', many: 3, at: () => Date.now() - 26 * 60 * MINUTE_MS },
  );
  expect(await summands()).toBe(0);
  await perform({ workspaceId, queueId }, { what: 'end', status: 'COMPLETED', many: 3, at: () => Date.now() });
  await foldEnds(database, 100);
  await database.queueItemEnd.updateMany({
    where: { queueId },
    data: { bucket: new Date(Date.now() - 26 * 60 * MINUTE_MS) },
  });
  expect(await deleteOldEnds(database, 100)).toBeGreaterThan(0);
  expect(await summands()).toBe(0);
});

test('the statistics of a queue read as much whether few or many items ended in the day', async () => {
  const few = await endedInADay(600);
  const many = await endedInADay(12_000);
  await database.pool.query('VACUUM (ANALYZE) queue_items, queue_item_ends, queue_item_counts');
  const readOf = (queueId: string): Promise<Reading> =>
    reading(database, (db) => db.$queryRaw`SELECT ${STATISTICS} FROM queues t WHERE t.id = ${queueId}::uuid`);
  const [ofFew, ofMany] = [await readOf(few), await readOf(many)];
  // Reads the first five minutes once per status; a bitmap index scan counts its rows again.
  expect(ofMany.rows).toBeLessThan(ofFew.rows + 50);
  expect(ofMany.rows).toBeLessThan(2_000);
  expect(ofMany.blocks).toBeLessThan(ofFew.blocks + 20);
  // queue_item_counts has one row per queue here.
  expect(ofMany.wholeTables.filter((table) => table !== 'queue_item_counts')).toEqual([]);
  expect(ofMany.indexes).toContain('queue_item_ends_queue_id_status_bucket_idx');
  expect((await daysOf(many)).said).toEqual({ completedLast24h: 6_000, failedLast24h: 6_000 });
}, 60_000);

/** Spreads the items over the day except its first quarter of an hour. */
async function endedInADay(items: number): Promise<string> {
  const { workspaceId, queueId } = await queueOfAWorkspace();
  await database.pool.query(
    `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, processing_completed_at)
     SELECT gen_random_uuid(), $1, $2, '{}', '{}', CASE n % 2 WHEN 0 THEN 'COMPLETED' ELSE 'FAILED' END,
       now() - (n / 2) * (interval '23 hours 45 minutes' / ($3::int / 2 + 1))
     FROM generate_series(0, $3::int - 1) n`,
    [workspaceId, queueId, items],
  );
  while ((await foldEnds(database, 1_000)) > 0);
  return queueId;
}

/** PGlite has one session. */
const withSessions = process.env.DATABASE_URL ? test : test.skip;

withSessions('items of one queue that end at once do not wait for each other', async () => {
  const { workspaceId, queueId } = await queueOfAWorkspace();
  const [one, two] = await addItems(database, workspaceId, queueId, [{}, {}]);
  const client = await database.pool.connect();
  onTestFinished(() => client.release(true));
  const end = "UPDATE queue_items SET status = 'COMPLETED', processing_completed_at = now() WHERE id = $1";
  await client.query('BEGIN');
  await client.query(end, [one]);
  await database.pool.query(end, [two]);
  // A concurrent fold reads only committed rows, and waits for no lock.
  await foldEnds(database, 100);
  expect(await lockWaits(database)).toBe(0);
  expect((await daysOf(queueId)).said.completedLast24h).toBe(1);
  await client.query('COMMIT');
  expect((await daysOf(queueId)).said.completedLast24h).toBe(2);
});
