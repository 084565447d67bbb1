// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { countByStatus } from '../../prisma/store/execution/countByStatus.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { listResource } from '../../prisma/store/listResource.ts';
import { QUEUE } from '../../prisma/store/queue/resource.ts';
import type { Resource } from '../../prisma/store/resource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { reading } from '../setup/database/reading.ts';

// Measures the reads of a list page for its expansions, in a workspace with many other rows.

const PAGE = 50;
const MANY = 20_000;
let own: MigratedDatabase;
let viewer: Viewer;

beforeAll(async () => {
  own = await startMigratedDatabase();
  const workspaceId = await insertOwnWorkspace(own.database);
  viewer = { kind: 'apiKey', apiKeyId: v7(), workspaceId, permissions: new Set(['workflows:read']) };
}, 90_000);
afterAll(() => own?.dispose());

/** Disables foreign keys and counting triggers, which are not under test. */
async function insert(...statements: [text: string, values: unknown[]][]): Promise<void> {
  const client = await own.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const page = (resource: Resource, expansion: string) => (database: Database) =>
  listResource(database, viewer, resource, { expansion, limit: PAGE });

test('a page of executions reads at most ten steps of each that is tried again, the next ones', async () => {
  const { workspaceId } = viewer;
  await insert(
    [
      `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables, started_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), i, 'w', 'WORKFLOW',
         CASE WHEN i % 4 = 0 THEN 'WAITING' WHEN i % 4 = 1 THEN 'RUNNING' ELSE 'COMPLETED' END, '{}', '{}',
         now() + make_interval(secs => i)
       FROM generate_series(1, $2::int) i`,
      [workspaceId, MANY],
    ],
    // Each has one waiting step. The newest two have very many, with the next one at the end.
    [
      `INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, iteration, label, type, status, attempt, wake_at, error)
       SELECT gen_random_uuid(), e.id, $1, 'a', 'each:' || n, 'A', 'action', 'RETRYING', 3,
         now() + make_interval(secs => 10000 - n), '{"code": "HTTP_502", "message": "Bad gateway"}'
       FROM executions e, generate_series(1, CASE WHEN e.number > $2::int - 8 THEN 5000 ELSE 1 END) n
       WHERE e.workspace_id = $1 AND e.status = 'WAITING'`,
      [workspaceId, MANY],
    ],
    [
      `INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, iteration, label, type, status)
       SELECT gen_random_uuid(), e.id, $1, 'a', 'each:' || n, 'A', 'action', CASE WHEN n % 2 = 0 THEN 'COMPLETED' ELSE 'RUNNING' END
       FROM executions e, generate_series(1, 5000) n WHERE e.workspace_id = $1 AND e.number = $2::int - 3`,
      [workspaceId, MANY],
    ],
  );
  await own.database.pool.query('VACUUM ANALYZE executions, execution_steps');
  const list = page(EXECUTION, 'status,retryingSteps');
  const { items } = await list(own.database);
  const waiting = items.filter(({ status }) => status === 'WAITING');
  const steps = waiting.map(({ retryingSteps }) => retryingSteps as { wakeAt: string }[]);
  expect(steps.map(({ length }) => length)).toEqual([10, 10, ...Array(waiting.length - 2).fill(1)]);
  for (const each of steps) expect(each.map(({ wakeAt }) => wakeAt)).toEqual(each.map(({ wakeAt }) => wakeAt).sort());
  const { rows, blocks, wholeTables } = await reading(own.database, list);
  // One extra row shows that there is another page. The blocks include the reads of the steps' own function: a few per
  // execution and one per step. Reading all steps of the two large ones would add hundreds.
  expect([rows <= 2 * (PAGE + 1), blocks <= 5 * PAGE, wholeTables]).toEqual([true, true, []]);

  // Counting all would read each of the 5,000 and their 15,000 steps once per status.
  const count = (database: Database) => countByStatus(database, viewer, { filterBy: 'retrying:true' }, MANY);
  expect((await count(own.database)).WAITING).toBe(MANY / 4);
  expect((await reading(own.database, count)).rows).toBeLessThan(5 * MANY);
}, 120_000);

test('a page of queues reads of each its oldest ready item and its workflows', async () => {
  const { workspaceId } = viewer;
  const others = await insertOwnWorkspace(own.database);
  await insert(
    ...[workspaceId, others].map((workspace): [string, unknown[]] => [
      `WITH q AS (
         INSERT INTO queues (id, workspace_id, project_id, name, slug, priority)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 'q' || i, 'q' || i, i FROM generate_series(1, 2000) i RETURNING id
       ), w AS (
         INSERT INTO workflows (id, workspace_id, project_id, name, slug, version_id, version)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 'w' || i, 'w' || i, gen_random_uuid(), 1 FROM generate_series(1, 2000) i
         RETURNING id
       ) INSERT INTO queue_consumers (workflow_id, workspace_id, queue_id)
         SELECT w.id, $1, q.id FROM (SELECT id, row_number() OVER () AS n FROM w) w
           JOIN (SELECT id, row_number() OVER () AS n FROM q) q ON q.n = w.n`,
      [workspace],
    ]),
    // The first queue has very many items, and the oldest has the lowest priority.
    [
      `INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, status, priority, created_at)
       SELECT gen_random_uuid(), $1, q.id, '{}', '{}', CASE WHEN n % 3 = 0 THEN 'COMPLETED' ELSE 'PENDING' END, n % 1000,
         now() - interval '1 day' + n * interval '1 second'
       FROM queues q, generate_series(1, CASE WHEN q.priority = 2000 THEN $2::int ELSE 3 END) n WHERE q.workspace_id = $1`,
      [workspaceId, MANY],
    ],
  );
  await own.database.pool.query('VACUUM ANALYZE queues, queue_items, workflows, queue_consumers');
  const list = page(QUEUE, 'oldestReadyAt,workflows');
  const { items } = await list(own.database);
  expect(items).toHaveLength(PAGE);
  const [first] = items;
  const oldest = await own.database.queueItem.findFirst({
    where: { queueId: String(first?.id), status: 'PENDING' },
    orderBy: { createdAt: 'asc' },
  });
  expect(first?.oldestReadyAt).toBe(oldest?.createdAt.toISOString());
  for (const { workflows } of items) expect(workflows).toHaveLength(1);
  const { rows, indexes, wholeTables } = await reading(own.database, list);
  expect(indexes).toContain('queue_items_oldest_ready_idx');
  expect([rows <= 4 * (PAGE + 1), wholeTables]).toEqual([true, []]);
}, 120_000);
