import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { listResource } from '../../prisma/store/listResource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/ownRows.ts';
import { reading } from '../setup/reading.ts';

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
  // Each workflow fails now and then.
  await client.query(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables,
       started_at, stopped_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), w.id, i, 'w', 'WORKFLOW',
       CASE WHEN i % $4 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, '{}', '{}',
       now() - make_interval(secs => i), now()
     FROM generate_series(1, $3::int) AS i, unnest($2::uuid[]) w(id)`,
    [workspaceId, [workflowId, ...Array.from({ length: WORKFLOWS - 1 }, () => v7())], ROWS, ONE_FAILED_OF],
  );
  await client.query('COMMIT');
  client.release();
  await own.database.pool.query('VACUUM ANALYZE executions');
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
