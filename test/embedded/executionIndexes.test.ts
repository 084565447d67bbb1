import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import type { Viewer } from '../../domain/access/viewer.ts';
import type { Database } from '../../prisma/client.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { listResource } from '../../prisma/store/listResource.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/ownRows.ts';

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

interface Node {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Index Name'?: string;
  Plans?: Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

test.each(['FAILED', 'FAILED|TIMED_OUT'])('a list of %s of one workflow reads those alone', async (status) => {
  const seen: [string, unknown[]][] = [];
  const query = (text: string, values: unknown[]) => {
    seen.push([text, values]);
    return own.database.pool.query(text, values);
  };
  const database = { ...own.database, pool: { query } } as unknown as Database;
  const filterBy = `workflowId:${workflowId},status:${status}`;
  const page = await listResource(database, viewer, EXECUTION, { filterBy, limit: 20 });
  expect(page.items).toHaveLength(20);
  const [statement] = seen;
  const { rows } = await own.database.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement?.[0]}`, statement?.[1]);
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  expect(nodes.map((node) => node['Index Name'])).toContain('executions_ended_badly_idx');
  expect(Math.max(...nodes.map((node) => node['Rows Removed by Filter'] ?? 0))).toBe(0);
  expect(Math.max(...nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(ROWS / ONE_FAILED_OF);
});
