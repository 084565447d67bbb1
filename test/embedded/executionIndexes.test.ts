// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { matchExecutions } from '../../prisma/store/execution/matchExecutions.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { listResource } from '../../prisma/store/listResource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { reading } from '../setup/database/reading.ts';

const ROWS = 2_000;
const WORKFLOWS = 10;
const ONE_FAILED_OF = 40;
let own: MigratedDatabase;
let viewer: Viewer;
const workflowId = v7();

beforeAll(async () => {
  own = await startMigratedDatabase();
  const workspaceId = await insertOwnWorkspace(own.database);
  viewer = { kind: 'apiKey', apiKeyId: v7(), workspaceId, permissions: new Set() };
  const client = await own.database.pool.connect();
  await client.query('BEGIN');
  // Foreign keys are not under test.
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables,
       started_at, stopped_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), w.id, i, 'w', 'WORKFLOW',
       CASE WHEN i % $4 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{}', '{}',
       now() - make_interval(secs => i), now()
     FROM generate_series(1, $3::int) AS i, unnest($2::uuid[]) w(id)`,
    [workspaceId, [workflowId, ...Array.from({ length: WORKFLOWS - 1 }, () => v7())], ROWS, ONE_FAILED_OF],
  );
  await client.query(
    `INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, label, type, status, queued_at, iterations_failed)
     SELECT gen_random_uuid(), e.id, e.workspace_id, 'loop', 'loop', 'forEach', 'COMPLETED', now(),
       CASE WHEN e.number % $1 = 1 THEN 2 ELSE 0 END
     FROM executions e`,
    [ONE_FAILED_OF],
  );
  await client.query('COMMIT');
  client.release();
  await own.database.pool.query('VACUUM ANALYZE executions, execution_steps');
}, 90_000);
afterAll(() => own?.dispose());

test.each(['FAILED', 'FAILED|TIMED_OUT'])('a list of %s of one workflow reads those alone', async (status) => {
  const filterBy = `workflowId:${workflowId},status:${status}`;
  const list = (database: Database) => listResource(database, viewer, EXECUTION, { filterBy, limit: 20 });
  expect((await list(own.database)).items).toHaveLength(20);
  const { indexes, rows } = await reading(own.database, list);
  expect(indexes).toContain('executions_ended_badly_idx');
  expect(rows).toBeLessThanOrEqual(ROWS / ONE_FAILED_OF);
});

test('a list of unacknowledged failures reads the failures alone, however many executions completed', async () => {
  const left = 10;
  await own.database.pool.query(
    `UPDATE executions SET acknowledged_at = now() WHERE status = 'FAILED' AND NOT (workflow_id = $1 AND number <= $2)`,
    [workflowId, left * ONE_FAILED_OF],
  );
  await own.database.pool.query('VACUUM ANALYZE executions');
  const filterBy = 'status:FAILED|TIMED_OUT,retried:false,acknowledged:false';
  const list = (database: Database) => listResource(database, viewer, EXECUTION, { filterBy, limit: 20 });
  expect((await list(own.database)).items).toHaveLength(left);
  const { rows, wholeTables } = await reading(own.database, list);
  expect(wholeTables).toEqual([]);
  // There are 20,000 rows. The failures are read once in the table and at most once in each index.
  expect(rows).toBeLessThan(ROWS);
});

test('executions with items that failed are counted by an index of such loops, which reads no others', async () => {
  const query = { filterBy: `workflowId:${workflowId},status:COMPLETED` };
  const count = (database: Database) =>
    matchExecutions(database, viewer, query, 'withFailedItems', { limit: 0, countsFailedItems: true });
  const most = ROWS / ONE_FAILED_OF;
  expect(await count(own.database)).toEqual({ matched: most, withFailedItems: most, skipped: 0, executionIds: [] });
  const { indexes, wholeTables } = await reading(own.database, (explained) => count(explained).catch(() => undefined));
  expect(indexes).toContain('execution_steps_failed_items_idx');
  expect(wholeTables).not.toContain('execution_steps');
});
