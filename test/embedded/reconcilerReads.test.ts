import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { releasableLines } from '../../prisma/store/execution/heldLines.ts';
import {
  claimOpenExecutions,
  claimUnsentAnswers,
  claimUnstarted,
} from '../../prisma/store/execution/reconcileQueries.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { insertOwnExecution, insertOwnWorkspace } from '../setup/ownRows.ts';

// The reads of the reconciler in each pass must not grow with the backlog: checks plans, and counts of read rows far
// below a scan.

/**
 * That wait for something else. PGlite takes a minute to make as many as a Postgres makes in seconds; both plan alike. Long
 * form: RECONCILER_OPEN=200000.
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

/** A statement over many rows, without its foreign keys: checks and cascades are not under test. */
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

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

interface Reading {
  /** Rows that were looked at, whether they were wanted or not. */
  rows: number;
  blocks: number;
  indexes: Set<string>;
  wholeTables: string[];
}

/** The rows that a store function's statement reads, measured by EXPLAIN. */
async function reading(run: (explained: Database) => Promise<unknown>): Promise<Reading> {
  let plan: Node | undefined;
  const $queryRaw = async (statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
    const sql = statement instanceof Prisma.Sql ? statement : Prisma.sql(statement as unknown as string[], ...values);
    const [row] = await database.$queryRaw<Record<string, [{ Plan: Node }]>[]>(
      Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`,
    );
    plan = row?.['QUERY PLAN']?.[0].Plan;
    return [];
  };
  await run({ $queryRaw } as unknown as Database);
  if (plan === undefined) throw new Error('no plan');
  const read: Reading = {
    rows: 0,
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: new Set(),
    wholeTables: [],
  };
  const walk = (node: Node): void => {
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    if (node['Node Type'].endsWith('Scan') && (node['Relation Name'] ?? node['Index Name']) !== undefined) {
      read.rows += rows;
    }
    if (node['Index Name'] !== undefined) read.indexes.add(node['Index Name']);
    if (node['Node Type'] === 'Seq Scan') read.wholeTables.push(node['Relation Name'] ?? '');
    node.Plans?.forEach(walk);
  };
  walk(plan);
  return read;
}

/** PGlite keeps no statistics by itself; a Postgres does. Both plan well. */
describe.each(['as it is', 'with statistics'])('%s', (how) => {
  beforeAll(async () => {
    // Rows that were deleted before are looked at, too, until they are swept.
    if (how === 'with statistics') await database.pool.query('VACUUM (ANALYZE) executions, pending_inputs');
  }, 60_000);

  test('starts that were lost are found beside many that wait', async () => {
    await fill({ count: 20, status: 'PENDING', ageSeconds: 60 });
    const read = await reading((db) => claimUnstarted(db, 1_000, LIMIT));
    expect(read.indexes).toContain('executions_unstarted_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(200);
    expect(read.blocks).toBeLessThan(2_000);
    // Nothing is due any more.
    expect((await reading((db) => claimUnstarted(db, AN_HOUR_MS, LIMIT))).rows).toBeLessThan(100);
  });

  test('of a long backlog only a batch is read, each workspace in turn', async () => {
    await fill({ count: BACKLOG, status: 'PENDING', ageSeconds: 60 });
    if (how === 'with statistics') await database.$executeRaw`ANALYZE executions`;
    const read = await reading((db) => claimUnstarted(db, 1_000, LIMIT));
    expect(read.indexes).toContain('executions_unstarted_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(1_000);
    const claimed = await claimUnstarted(database, 1_000, LIMIT);
    expect(claimed).toHaveLength(LIMIT);
    expect(claimed.filter(({ workspaceId }) => workspaceId === workspaces[0])).toHaveLength(LIMIT / 2);
    await withoutBonds(`DELETE FROM executions WHERE status = 'PENDING' AND NOT held`);
  }, 60_000);

  test('open executions are compared by the oldest, 100 at a time', async () => {
    const read = await reading((db) => claimOpenExecutions(db, { ageMs: 1_000, limit: LIMIT }));
    expect(read.indexes).toContain('executions_open_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(1_000);
    const none = await reading((db) => claimOpenExecutions(db, { ageMs: AN_HOUR_MS, limit: LIMIT }));
    expect(none.rows).toBeLessThan(100);
  });

  test('a long line of held executions is looked at by its first', async () => {
    await fill({ count: BACKLOG, status: 'PENDING', ageSeconds: 60, held: true });
    const read = await reading((db) => releasableLines(db, LIMIT));
    expect(read.indexes).toContain('executions_held_idx');
    expect(read.wholeTables).not.toContain('executions');
    expect(read.rows).toBeLessThan(100);
    await withoutBonds('DELETE FROM executions WHERE held');
  }, 60_000);

  test('answers without a signal are found beside signalled ones', async () => {
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
    const read = await reading((db) => claimUnsentAnswers(db, 1_000, LIMIT));
    expect(read.indexes).toContain('pending_inputs_submitted_idx');
    expect(read.wholeTables).not.toContain('pending_inputs');
    expect(read.rows).toBeLessThan(200);
    await withoutBonds('DELETE FROM pending_inputs');
    await database.execution.delete({ where: { id: executionId } });
  }, 60_000);
});
