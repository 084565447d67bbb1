import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { forgetOld, sweepExpired } from '../../engine/duties/forget.ts';
import type { Database } from '../../prisma/client.ts';
import { deleteTombstones, TOMBSTONE_TABLES, type TombstoneTable } from '../../prisma/store/deleteTombstones.ts';
import { OLDEST, readSweepPlace, storeSweepPlace } from '../../prisma/store/operation/sweepPlaces.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { reading } from '../setup/database/reading.ts';

// Sweeps read rows that cannot be deleted yet once an hour, not with each pass.

const RETAINED = 2_500;
const DAYS = 30;
const RETENTION = { objectChangeDays: 7, eventDays: 14, auditDays: 0 };
const NEVER = new AbortController().signal;
const FEW_ROWS = 20;

let own: MigratedDatabase;
let database: Database;
let workspaceId: string;
let parentId: string;

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
  ({ workspaceId, executionId: parentId } = await insertOwnExecution(database));
});
afterAll(() => own?.dispose());

/** Disables foreign keys, which are not under test. */
async function insertEnded(count: number, { parent, daysAgo }: { parent: string | null; daysAgo: number }) {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables,
       parent_execution_id, stopped_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), $2, i, 'w', 'WORKFLOW', 'COMPLETED', '{}', '{}', $3,
       now() - make_interval(days => $4) - interval '1 second'
     FROM generate_series(1, $5::int) i RETURNING id`,
    [workspaceId, randomUUID(), parent, daysAgo, count],
  );
  await client.query('COMMIT');
  client.release();
  return rows.map(({ id }) => id);
}

const retention = (on = database) => forgetOld({ database: on }, DAYS, 1_000).run(NEVER, () => undefined, ALL_BUCKETS);
const sweep = () => sweepExpired({ database }, RETENTION, 1_000).run(NEVER, () => undefined, ALL_BUCKETS);
const anHourLater = () => database.$executeRaw`UPDATE sweep_places SET again_at = now() - interval '1 second'`;
const executions = (where: object) => database.execution.count({ where: { workspaceId, ...where } });

test('reads ended children of an open parent once, and deletes later rows', async () => {
  const children = await insertEnded(RETAINED, { parent: parentId, daysAgo: DAYS + 2 });
  const free = await insertEnded(3, { parent: null, daysAgo: DAYS + 1 });
  await database.$executeRaw`ANALYZE executions`;
  await retention();
  expect(await executions({ id: { in: children } })).toBe(RETAINED);
  expect(await executions({ id: { in: free } })).toBe(0);

  const { rows, blocks, wholeTables } = await reading(database, retention);
  expect(rows).toBeLessThan(FEW_ROWS);
  expect(blocks).toBeLessThan(FEW_ROWS * 5);
  expect(wholeTables).not.toContain('executions');

  // An execution that has become old is found immediately, its children an hour later.
  const [later] = await insertEnded(1, { parent: null, daysAgo: DAYS });
  await database.execution.update({ where: { id: parentId }, data: { status: 'COMPLETED', stoppedAt: new Date() } });
  await retention();
  expect(await executions({ id: { in: [later as string] } })).toBe(0);
  expect(await executions({ id: { in: children } })).toBe(RETAINED);
  await anHourLater();
  await retention();
  expect(await executions({ id: { in: children } })).toBe(0);
});

test('executions with more steps than a statement deletes are not passed', async () => {
  const [large, small] = await insertEnded(2, { parent: null, daysAgo: DAYS + 1 });
  await database.$executeRaw`
    INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, iteration, label, type, status)
    SELECT gen_random_uuid(), ${large}::uuid, ${workspaceId}::uuid, 'n', i::text, 'n', 'action', 'COMPLETED'
    FROM generate_series(1, 12000) i`;
  await anHourLater();
  await retention();
  expect(await executions({ id: { in: [large as string, small as string] } })).toBe(0);
});

test('more executions than a statement deletes go in one run', async () => {
  const ids = await insertEnded(RETAINED, { parent: null, daysAgo: DAYS + 1 });
  await anHourLater();
  await retention();
  expect(await executions({ id: { in: ids } })).toBe(0);
});

const FORGOTTEN: Record<TombstoneTable, { insert: string; need: string; free: string }> = {
  deleted_workflows: {
    insert: `INSERT INTO deleted_workflows (id, workspace_id, name, orientation, deleted_at)
      SELECT gen_random_uuid(), $1, 'w', 'horizontal', now() - interval '2 hours' FROM generate_series(1, $2::int)`,
    need: `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables)
      SELECT gen_random_uuid(), workspace_id, gen_random_uuid(), id, 1, 'w', 'WORKFLOW', 'COMPLETED', '{}', '{}' FROM deleted_workflows`,
    free: 'DELETE FROM executions WHERE workflow_id IN (SELECT id FROM deleted_workflows)',
  },
  deleted_connections: {
    insert: `INSERT INTO deleted_connections (id, workspace_id, workflow_app_id, connection_type, credentials, key_id, deleted_at)
      SELECT gen_random_uuid(), $1, 'http', 'basic', '', 'k', now() - interval '2 hours' FROM generate_series(1, $2::int)`,
    need: `INSERT INTO execution_secrets (root_id, digest, workspace_id, connection_id)
      SELECT gen_random_uuid(), id::text, workspace_id, id FROM deleted_connections`,
    free: 'DELETE FROM execution_secrets',
  },
};

test.each(TOMBSTONE_TABLES)('rows of %s that executions still need are read once an hour', async (table) => {
  const { insert, need, free } = FORGOTTEN[table];
  const client = await database.pool.connect();
  const count = async () => (await client.query(`SELECT FROM ${table}`)).rowCount;
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(insert, [workspaceId, RETAINED]);
    await client.query(need);
    await client.query('COMMIT');
    await client.query(`ANALYZE ${table}, executions, execution_secrets`);
    await anHourLater();
    await sweep();
    expect(await count()).toBe(RETAINED);

    const place = await database.sweepPlace.findUniqueOrThrow({ where: { sweep: table } });
    const from = { at: place.at.toISOString(), id: place.id };
    const { rows } = await reading(database, (explained) => deleteTombstones(explained, table, 1_000, from));
    expect(rows).toBeLessThan(FEW_ROWS);
    const first = await reading(database, (explained) => deleteTombstones(explained, table, 1_000, OLDEST));
    expect(first.rows).toBeGreaterThan(1_000);

    await client.query(free);
    await sweep();
    expect(await count()).toBe(RETAINED);
    await anHourLater();
    await sweep();
    expect(await count()).toBe(0);
  } finally {
    client.release();
  }
});

test('a sweep that has not come to the end does not begin again', async () => {
  const first = { place: { at: '2026-01-01 00:00:00+00', id: randomUUID() }, beginsHour: true };
  const dueAt = async () => (await database.sweepPlace.findUniqueOrThrow({ where: { sweep: 's' } })).againAt.getTime();
  expect(await readSweepPlace(database, 's')).toEqual({ place: OLDEST, beginsHour: true });
  await storeSweepPlace(database, 's', first);
  expect(await readSweepPlace(database, 's')).toEqual({ ...first, beginsHour: false });
  await database.$executeRaw`UPDATE sweep_places SET again_at = now() + interval '1 minute'`;
  await storeSweepPlace(database, 's', { ...first, beginsHour: false });
  expect(await dueAt()).toBeLessThan(Date.now() + 30 * 60_000);
  await storeSweepPlace(database, 's', first);
  expect(await dueAt()).toBeGreaterThan(Date.now() + 30 * 60_000);
  await anHourLater();
  expect(await readSweepPlace(database, 's')).toEqual({ place: OLDEST, beginsHour: true });
});
