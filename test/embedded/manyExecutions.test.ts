// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { countByStatus } from '../../prisma/store/execution/countByStatus.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { readStatistics } from '../../prisma/store/execution/statistics.ts';
import { listResource } from '../../prisma/store/listResource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { reading } from '../setup/database/reading.ts';

// Compares filters, counts and statistics of a workspace with 1,000 executions and with many more. Long form:
// EXECUTIONS=1000000, which prints the table of bench/README.md.

const FEW = 1_000;
const MANY = Number(process.env.EXECUTIONS ?? 10_000);
const TIMES = 7;
const DAY_MS = 86_400_000;
const workflows = Array.from({ length: 10 }, () => v7());

let own: MigratedDatabase;
let viewer: Viewer;
beforeAll(async () => {
  own = await startMigratedDatabase();
  const workspaceId = await insertOwnWorkspace(own.database);
  viewer = { kind: 'apiKey', apiKeyId: v7(), workspaceId, permissions: new Set() };
}, 90_000);
afterAll(() => own?.dispose());

/**
 * Inserts rows `from` to `to`, newest last, 10,000 in the last day: 1 of 40 failed, with one of 5 codes and nodes; 1 of
 * 50 belongs to an old version; 1 of 10 has labels; 20 in all wait for another attempt.
 */
async function fill(from: number, to: number): Promise<void> {
  const client = await own.database.pool.connect();
  try {
    await client.query('BEGIN');
    // Foreign keys are not under test.
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(
      `INSERT INTO executions (id, workspace_id, version_id, workflow_id, workflow_version, number, name, source, status,
         trigger, variables, started_by_type, labels, error_code, failed_node_id, started_at, stopped_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), ($2::uuid[])[1 + i % 10], CASE WHEN i % 50 = 1 THEN 1 ELSE 2 END,
         i, 'w', 'WORKFLOW', CASE WHEN i <= 20 THEN 'WAITING' WHEN i % 40 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{"n": 1}', '{}',
         CASE WHEN i % 500 = 0 THEN 'queue' WHEN i % 5 = 0 THEN 'schedule' ELSE 'webhook' END,
         CASE WHEN i % 10 = 0 THEN jsonb_build_object('order', 'O-' || i, 'region', CASE WHEN i % 20 = 0 THEN 'eu' ELSE 'us' END)
           ELSE '{}' END,
         CASE WHEN i > 20 AND i % 40 = 0 THEN 'CODE_' || i / 40 % 5 END, CASE WHEN i > 20 AND i % 40 = 0 THEN 'node' || i / 40 % 5 END,
         now() - make_interval(secs => ($4::int - i) * 8.64),
         CASE WHEN i > 20 THEN now() - make_interval(secs => ($4::int - i) * 8.64) + make_interval(secs => i % 100) END
       FROM generate_series($3::int, $5::int) AS i`,
      [viewer.workspaceId, workflows, from, MANY, to],
    );
    await client.query(
      `INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, label, type, status)
       SELECT gen_random_uuid(), e.id, e.workspace_id, 'a', 'A', 'action', 'RETRYING' FROM executions e
       WHERE e.status = 'WAITING' AND e.number BETWEEN $1 AND $2`,
      [from, to],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  await own.database.pool.query('VACUUM ANALYZE executions');
}

type Read = (database: Database) => Promise<unknown>;

const list =
  (filterBy: string): Read =>
  (database) =>
    listResource(database, viewer, EXECUTION, { filterBy, limit: 100 });
const count =
  (filterBy: string): Read =>
  (database) =>
    countByStatus(database, viewer, { filterBy }, 100_000);

const READS: [string, Read][] = [
  ['number', list('number:500')],
  ['label.<key>, one', list('label.order:O-500')],
  ['label.<key>, one of 20', list('label.region:eu')],
  ['errorCode', list('errorCode:CODE_3')],
  ['failedNodeId', list('failedNodeId:node3')],
  ['retrying', list('retrying:true')],
  ['workflowVersion, old', list(`workflowId:${workflows[1]},workflowVersion:1`)],
  ['workflowVersion, present', list(`workflowId:${workflows[1]},workflowVersion:2`)],
  ['startedBy, rare', list('startedBy:queue')],
  ['startedBy, most', list('startedBy:webhook')],
  ['counts of a label', count('label.order:O-500')],
  ['counts of an errorCode', count('errorCode:CODE_3')],
  [
    'statistics, 24 h by workflow',
    (database) =>
      readStatistics(
        database,
        viewer,
        { bucket: 'hour', groupBy: 'workflow', from: new Date(Date.now() - DAY_MS) },
        100_000,
      ),
  ],
  [
    'statistics of an errorCode by node, 30 days',
    (database) =>
      readStatistics(
        database,
        viewer,
        { bucket: 'day', groupBy: 'node', from: new Date(Date.now() - 30 * DAY_MS), filterBy: 'errorCode:CODE_3' },
        100_000,
      ),
  ],
];

async function medians(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [name, read] of READS) {
    const times: number[] = [];
    for (let run = 0; run < TIMES; run++) {
      const before = performance.now();
      await read(own.database);
      times.push(performance.now() - before);
    }
    found.set(name, times.sort((one, other) => one - other)[Math.floor(TIMES / 2)] ?? 0);
  }
  return found;
}

test('filters find the same among many executions as among few, and read no more than they find', async () => {
  await fill(1, FEW);
  const few = await medians();
  for (let from = FEW + 1; from <= MANY; from += 50_000) await fill(from, Math.min(MANY, from + 49_999));
  const many = await medians();
  const rows = READS.map(([name]) => {
    const [one, other] = [few.get(name) ?? 0, many.get(name) ?? 0];
    return `| ${name} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(other / one).toFixed(2)} |`;
  });
  if (process.env.EXECUTIONS) {
    console.log(`| read | ms at ${FEW} | ms at ${MANY} | ratio |\n|---|---|---|---|\n${rows.join('\n')}`);
  }
  const rare = ['number:500', 'label.order:O-500', 'errorCode:CODE_3', 'failedNodeId:node3', 'retrying:true'];
  const reads: [string, Read][] = rare.map((filterBy) => [filterBy, list(filterBy)]);
  for (const [name, read] of [...reads, ['counts', count('label.order:O-500')] as const]) {
    const { rows, wholeTables } = await reading(own.database, read);
    // A page has 100 rows, which an index may find before the table does.
    if (rows > 250 || wholeTables.length > 0) throw new Error(`${name} reads ${rows} rows, and all of ${wholeTables}`);
  }
  const page = async (filterBy: string) =>
    (await listResource(own.database, viewer, EXECUTION, { filterBy, limit: 1_000 })).items.length;
  expect(await page('number:500')).toBe(1);
  expect(await page('label.order:O-500')).toBe(1);
  expect(await page('label.region:eu,startedBy:queue')).toBe(Math.min(1_000, MANY / 500));
  expect(await page('retrying:true')).toBe(20);
  const numbers = await readStatistics(
    own.database,
    viewer,
    { bucket: 'day', groupBy: 'errorCode', from: new Date(0) },
    2_000,
  );
  expect(numbers.countedFrom).not.toBeNull();
  const counted = numbers.buckets.flatMap(({ counts }) => counts).reduce((sum, { count: one }) => sum + one, 0);
  expect(counted).toBe(2_000);
  expect(numbers.groups).toHaveLength(5);
}, 3_000_000);
