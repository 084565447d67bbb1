import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { type GaugeReadings, readGauges } from '../../prisma/store/operation/readGauges.ts';
import { failExpiredLeases } from '../../prisma/store/queueItem/failItem.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';

// Each query of the runbook finds the workspace of its alert, and nothing else.

const page = readFileSync(join(PROJECT_ROOT, 'docs/runbook.md'), 'utf8');
const queries = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, sql] = /^```sql\n(.*?)^```/ms.exec(section) ?? [];
      return sql === undefined ? [] : [[section.slice(0, section.indexOf('\n')), sql] as const];
    }),
);

let own: MigratedDatabase;
let workspaceId: string;
let projectId: string;
let executionId: string;
beforeAll(async () => {
  own = await startMigratedDatabase();
  ({ workspaceId, executionId } = await insertOwnExecution(own.database));
  projectId = v7();
  await own.database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
});
afterAll(() => own?.dispose());

const run = (sql: string, ...values: unknown[]) => own.database.pool.query(sql, values).then(({ rows }) => rows);

async function found(alert: string): Promise<Record<string, unknown>[]> {
  return run(queries.get(alert) ?? `no query of ${alert}`);
}

/** Each case starts with empty tables, so that no query finds the rows of another. */
const CASES: Record<
  string,
  { provoke: () => Promise<unknown>; finds: Record<string, unknown>; gauge?: keyof GaugeReadings }
> = {
  PerdureFailuresAboveUsual: {
    provoke: () =>
      run(
        `UPDATE executions SET status = 'FAILED', stopped_at = now(), error_code = 'ACTION_FAILED', failed_node_id = 'pay'
         WHERE id = $1`,
        executionId,
      ),
    finds: { name: 'w', failed_node_id: 'pay', error_code: 'ACTION_FAILED', count: '1' },
  },
  PerdureStartsDelayed: { provoke: () => insertOwn(), finds: { count: '1' } },
  PerdureQueueStuck: {
    provoke: async () => {
      const queueId = await makeQueue(own.database, { workspaceId, projectId });
      await addItems(own.database, workspaceId, queueId, [{}, {}, { inMs: 60_000 }]);
    },
    finds: { name: 'q', count: '2', workflows: '0' },
  },
  PerdureLeasesExpire: {
    provoke: async () => {
      await run(
        `UPDATE queue_items SET status = 'PROCESSING', lease_worker = 'robot', lease_expires_at = now() - interval '1 s'
         WHERE id = (SELECT id FROM queue_items WHERE ready_rank IS NOT NULL LIMIT 1)`,
      );
      expect(await failExpiredLeases(own.database, ALL_BUCKETS, 10)).toHaveLength(1);
    },
    finds: { worker: 'robot', count: '1' },
  },
  PerdureQuestionsExpiring: {
    provoke: () =>
      run(
        `INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, label, fields, submissions, requested_at, expires_at)
         SELECT gen_random_uuid(), $1, $2, node, 'May we?', '[]', '[]', now() - since::interval, now() + least::interval
         FROM (VALUES ('soon', '1 day', '30 min'), ('later', '1 day', '3 h'), ('brief', '0', '30 min')) AS x(node, since, least)`,
        executionId,
        workspaceId,
      ),
    finds: { node_id: 'soon', label: 'May we?', submitters: 'anyone' },
    gauge: 'questionsExpiring',
  },
  PerdureEventsGivenUp: {
    provoke: () =>
      run(
        `INSERT INTO event_subscriptions (id, workspace_id, url, events, secret, key_id, is_active, disabled_reason)
         SELECT gen_random_uuid(), $1, url, '{object.changed}', '', 'k', reason IS NULL, reason
         FROM (VALUES ('https://well.example', NULL), ('https://gone.example', 'GONE')) AS x(url, reason)`,
        workspaceId,
      ),
    finds: { url: 'https://gone.example', is_active: false, disabled_reason: 'GONE', failed: '0' },
  },
  PerdureKeysEnd: {
    provoke: () =>
      run(
        `INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, permissions, created_at, expires_at, last_used_at)
         SELECT gen_random_uuid(), $1, name, decode(md5(name), 'hex'), 'p', '{}', now() - since::interval, now() + ends::interval, used
         FROM (VALUES ('shop', '1 year', '3 days', now()), ('long', '1 year', '90 days', now()),
           ('unused', '1 year', '3 days', NULL), ('on-call', '0', '12 hours', now())) AS x(name, since, ends, used)`,
        workspaceId,
      ),
    finds: { name: 'shop', made_by: null },
    gauge: 'apiKeysExpiring',
  },
  PerdureConnectionsBroken: {
    provoke: () =>
      run(
        `INSERT INTO connections (id, workspace_id, workflow_app_id, connection_type, name, credentials, key_id, status)
         SELECT gen_random_uuid(), $1, 'http', 'basic', status, '', 'k', status
         FROM (VALUES ('connected'), ('needsReconnect')) AS x(status)`,
        workspaceId,
      ),
    finds: { name: 'needsReconnect', workflow_app_id: 'http' },
    gauge: 'connectionsBroken',
  },
};

async function insertOwn(): Promise<void> {
  ({ workspaceId } = await insertOwnExecution(own.database));
  projectId = v7();
  await own.database.project.create({ data: { id: projectId, workspaceId, name: 'p' } });
}

test('each query of the page is tried', () => {
  expect([...queries.keys()].sort()).toEqual(Object.keys(CASES).sort());
});

test.each(Object.entries(CASES))('%s: its query finds the workspace', async (alert, { provoke, finds, gauge }) => {
  await provoke();
  expect(await found(alert)).toEqual([expect.objectContaining({ workspace_id: workspaceId, ...finds })]);
  // The query shows which of them the alert counts.
  if (gauge !== undefined) expect((await readGauges(own.database))[gauge]).toBe(1);
});
