// test: long
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_BUCKETS, bucketOf } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import type { DueCondition } from '../../prisma/store/dueRows.ts';
import {
  anyUncompared,
  claimOpenExecutions,
  claimUnsentAnswers,
  claimUnstarted,
} from '../../prisma/store/execution/reconcileQueries.ts';
import { releasableWorkflows } from '../../prisma/store/execution/releasableWorkflows.ts';
import { claimFailures } from '../../prisma/store/failure/claimFailures.ts';
import { dueDuties } from '../../prisma/store/operation/dueDuties.ts';
import { forgetOldChunks } from '../../prisma/store/turn/reconcileTurns.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution, insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { reading } from '../setup/database/reading.ts';

// Reads of a pass must not grow with the backlog: checks plans, and that far fewer rows are read than by a scan.

/**
 * Executions that wait for something else. PGlite takes a minute to create as many as Postgres creates in seconds; both
 * plan alike. Long form: RECONCILER_OPEN=200000.
 */
const OPEN = Number(process.env.RECONCILER_OPEN ?? (process.env.DATABASE_URL ? 200_000 : 20_000));
const BACKLOG = Math.max(OPEN / 10, 5_000);
const ANSWERS = Math.max(OPEN / 4, 10_000);
const LIMIT = 100;
const AN_HOUR_MS = 3_600_000;

let own: MigratedDatabase;
let database: Database;
let workspaces: string[];

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
  workspaces = [await insertOwnWorkspace(database), await insertOwnWorkspace(database)];
  await fill({ count: OPEN, status: 'WAITING', ageSeconds: 60 });
}, 240_000);
afterAll(() => own?.dispose());

/** Runs a statement over many rows without foreign keys, which are not under test. */
async function withoutBonds(sql: string, values: unknown[] = []): Promise<void> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(sql, values);
  await client.query('COMMIT');
  client.release();
}

async function fill(rows: { count: number; status: string; ageSeconds: number; held?: boolean }): Promise<void> {
  await withoutBonds(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables,
       reconciled_at, held)
     SELECT gen_random_uuid(), ($1::uuid[])[i % 2 + 1], gen_random_uuid(), ($1::uuid[])[i % 2 + 1], i, 'w', 'WORKFLOW',
       $2, '{}', '{}', CASE WHEN $5 THEN 'infinity' ELSE now() - make_interval(secs => $3) END, $5
     FROM generate_series(1, $4::int) AS i`,
    [workspaces, rows.status, rows.ageSeconds, rows.count, rows.held ?? false],
  );
}

/** Unlike Postgres, PGlite has no automatic statistics. Both plan well. */
describe.each(['as it is', 'with statistics'])('%s', (how) => {
  beforeAll(async () => {
    // Deleted rows are read too until they are vacuumed.
    if (how === 'with statistics') await database.pool.query('VACUUM (ANALYZE) executions, pending_inputs');
  }, 60_000);

  test('lost starts are found among many that wait', async () => {
    await fill({ count: 20, status: 'PENDING', ageSeconds: 60 });
    const read = await reading(database, (db) => claimUnstarted(db, 1_000, ALL_BUCKETS, LIMIT));
    expect(read.indexes).toContain('executions_unstarted_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(200);
    expect(read.blocks).toBeLessThan(2_000);
    expect((await reading(database, (db) => claimUnstarted(db, AN_HOUR_MS, ALL_BUCKETS, LIMIT))).rows).toBeLessThan(
      100,
    );
  });

  test('of a long backlog only a batch is read, each workspace in turn', async () => {
    await fill({ count: BACKLOG, status: 'PENDING', ageSeconds: 60 });
    if (how === 'with statistics') await database.$executeRaw`ANALYZE executions`;
    const read = await reading(database, (db) => claimUnstarted(db, 1_000, ALL_BUCKETS, LIMIT));
    expect(read.indexes).toContain('executions_unstarted_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(1_000);
    const claimed = await claimUnstarted(database, 1_000, ALL_BUCKETS, LIMIT);
    expect(claimed).toHaveLength(LIMIT);
    expect(claimed.filter(({ workspaceId }) => workspaceId === workspaces[0])).toHaveLength(LIMIT / 2);
    await withoutBonds(`DELETE FROM executions WHERE status = 'PENDING' AND NOT held`);
  }, 60_000);

  test('open executions are compared by the oldest, 100 at a time', async () => {
    const read = await reading(database, (db) =>
      claimOpenExecutions(db, { ageMs: 1_000, buckets: ALL_BUCKETS, limit: LIMIT }),
    );
    expect(read.indexes).toContain('executions_open_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(1_000);
    const none = await reading(database, (db) =>
      claimOpenExecutions(db, { ageMs: AN_HOUR_MS, buckets: ALL_BUCKETS, limit: LIMIT }),
    );
    expect(none.rows).toBeLessThan(100);
  });

  test('the backlog of a workspace in the bucket of another worker is not read', async () => {
    const others = ALL_BUCKETS.filter((bucket) => !workspaces.map(bucketOf).includes(bucket));
    const buckets = { ageMs: 0, buckets: others, limit: LIMIT };
    expect((await reading(database, (db) => claimOpenExecutions(db, buckets))).rows).toBeLessThan(200);
    const look = (due: DueCondition) => reading(database, (db) => dueDuties(db, [{ name: 'x', due }]));
    expect((await look(anyUncompared(0, others))).rows).toBeLessThan(100);
    expect((await look(anyUncompared(0, ALL_BUCKETS))).rows).toBeLessThan(100);
    expect((await look(anyUncompared(AN_HOUR_MS, ALL_BUCKETS))).rows).toBeLessThan(100);
  });

  test('of many failures that are due a batch is read, each workspace in turn', async () => {
    await withoutBonds(
      `INSERT INTO failure_handlings (execution_id, workspace_id, handler_workflow_id, status, not_before)
       SELECT gen_random_uuid(), ($1::uuid[])[CASE WHEN i <= 500 THEN 1 ELSE 2 END], gen_random_uuid(), 'PENDING', now() - interval '1 minute'
       FROM generate_series(1, $2::int) i`,
      [workspaces, BACKLOG],
    );
    if (how === 'with statistics') await database.$executeRaw`ANALYZE failure_handlings`;
    const idOf = (executionId: string) => executionId;
    const read = await reading(database, (db) => claimFailures(db, ALL_BUCKETS, LIMIT, idOf));
    expect(read.indexes).toContain('failure_handlings_pending_idx');
    expect(read.wholeTables).not.toContain('failure_handlings');
    expect(read.rows).toBeLessThan(1_000);
    const claimed = await claimFailures(database, ALL_BUCKETS, LIMIT, idOf);
    expect(claimed).toHaveLength(LIMIT);
    expect(claimed.filter(({ workspaceId }) => workspaceId === workspaces[0])).toHaveLength(LIMIT / 2);
    await withoutBonds('DELETE FROM failure_handlings');
  }, 60_000);

  test('a long line of held executions is looked at by its first', async () => {
    await fill({ count: BACKLOG, status: 'PENDING', ageSeconds: 60, held: true });
    const read = await reading(database, (db) => releasableWorkflows(db, ALL_BUCKETS, LIMIT));
    expect(read.indexes).toContain('executions_held_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(100);
    await withoutBonds('DELETE FROM executions WHERE held');
  }, 60_000);

  test('answers without a signal are found among signalled ones', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(database);
    await withoutBonds(
      `INSERT INTO pending_inputs (id, workspace_id, execution_id, node_id, label, fields, submissions, submitted_at,
         signalled_at, status)
       SELECT gen_random_uuid(), $1, $2, 'n' || i, 'n', '[]', '[]', 'epoch', 'epoch',
         CASE WHEN i <= 20 THEN 'SUBMITTED' ELSE 'APPLIED' END
       FROM generate_series(1, $3::int) i`,
      [workspaceId, executionId, ANSWERS],
    );
    if (how === 'with statistics') await database.$executeRaw`ANALYZE pending_inputs`;
    const read = await reading(database, (db) => claimUnsentAnswers(db, 1_000, ALL_BUCKETS, LIMIT));
    expect(read.indexes).toContain('pending_inputs_submitted_idx');
    expect(read.wholeTables).not.toContain('pending_inputs');
    expect(read.rows).toBeLessThan(200);
    await withoutBonds('DELETE FROM pending_inputs');
    await database.execution.delete({ where: { id: executionId } });
  }, 60_000);

  test('chunks of ended turns are looked for once, also of those that wait for an approval', async () => {
    await withoutBonds(
      `INSERT INTO task_runs (id, workspace_id, task_id, number, status, message_id, steps, finished_at, forgotten_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 1, CASE i % 2 WHEN 0 THEN 'NEEDS_APPROVAL' ELSE 'COMPLETED' END, 'm', '[]',
         now() - interval '1 hour', CASE WHEN i > 20 THEN now() END
       FROM generate_series(1, $2::int) i`,
      [workspaces[0], ANSWERS],
    );
    await withoutBonds(
      `INSERT INTO run_chunks (run_id, sequence, step, attempt, payload) SELECT gen_random_uuid(), i % 10, 0, 1, '[]'
       FROM generate_series(1, $1::int) i`,
      [ANSWERS],
    );
    if (how === 'with statistics') await database.$executeRaw`ANALYZE task_runs, run_chunks`;
    const read = await reading(database, (db) => forgetOldChunks(db, 60_000, LIMIT));
    expect(read.indexes).toContain('task_runs_unforgotten_idx');
    expect(read.wholeTables).toEqual([]);
    expect(read.rows).toBeLessThan(300);
    const again = await reading(database, (db) => forgetOldChunks(db, 60_000, LIMIT));
    expect(again.rows).toBeLessThan(100);
    await withoutBonds('DELETE FROM task_runs');
    await withoutBonds('DELETE FROM run_chunks');
  }, 60_000);
});
