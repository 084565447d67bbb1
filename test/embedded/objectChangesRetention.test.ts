import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { sweepExpired } from '../../engine/duties/forget.ts';
import { deleteOldChanges } from '../../prisma/store/object/changes.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

const DAYS = 3;
const OLD = 2_300;
const YOUNG = 40;
const NEVER = new AbortController().signal;

let own: MigratedDatabase;
let workspaceId: string;
beforeAll(async () => {
  own = await startMigratedDatabase();
  workspaceId = await insertOwnWorkspace(own.database);
});
afterAll(() => own?.dispose());

function addChanges(count: number, days: number): Promise<unknown> {
  return own.database.pool.query(
    `INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, transaction_id, at)
     SELECT $1, $2, $2, n, 'updated', n, now() - make_interval(days => $3::int) FROM generate_series(1, $4::int) n`,
    [workspaceId, randomUUID(), days, count],
  );
}

async function agesLeft(): Promise<number[]> {
  const { rows } = await own.database.pool.query<{ days: number }>(
    'SELECT extract(day FROM now() - at)::int AS days FROM object_changes ORDER BY id',
  );
  return rows.map(({ days }) => days);
}

beforeEach(async () => {
  await own.database.pool.query('TRUNCATE object_changes');
  await addChanges(OLD, DAYS);
  await addChanges(YOUNG, DAYS - 1);
});

const sweep = (days: number) =>
  sweepExpired({ database: own.database }, { objectChangeDays: days, eventDays: 14, auditDays: 365 }, 1_000).run(
    NEVER,
    () => undefined,
    ALL_BUCKETS,
  );

test('changes of entities go when they are so many days old, in several batches, and younger ones stay', async () => {
  await sweep(DAYS + 1);
  expect(await agesLeft()).toHaveLength(OLD + YOUNG);
  await sweep(DAYS);
  expect(await agesLeft()).toEqual(Array(YOUNG).fill(DAYS - 1));
});

test('a batch has no more than its limit, and takes the oldest', async () => {
  expect(await deleteOldChanges(own.database, DAYS, 1_000)).toBe(1_000);
  expect(await deleteOldChanges(own.database, DAYS, 1_000)).toBe(1_000);
  expect(await deleteOldChanges(own.database, DAYS, 1_000)).toBe(300);
  expect(await deleteOldChanges(own.database, DAYS, 1_000)).toBe(0);
  expect(await agesLeft()).toEqual(Array(YOUNG).fill(DAYS - 1));
});
