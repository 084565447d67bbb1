// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import { claimUnstarted } from '../../prisma/store/execution/reconcileQueries.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';

let own: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  own = await startMigratedDatabase();
  ({ database } = own);
});
afterAll(() => own?.dispose());

/** Longer than the test, so that claimed rows are not due again. */
const SETTLING_MS = 30_000;

/** Accepted and not started, each `ageSeconds` ago. */
async function unstarted(workspaceId: string, count: number, ageSeconds: number): Promise<void> {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  await database.execution.createMany({
    data: Array.from({ length: count }, (_, number) => ({
      ...{ id: v7(), workspaceId, versionId: v7(), number, name: 'w', source: 'WORKFLOW', trigger: {}, variables: {} },
      reconciledAt: at,
    })),
  });
}

test('a batch of starts takes from each workspace in turn, and the rest comes next', async () => {
  const [many, few] = [await insertOwnWorkspace(database), await insertOwnWorkspace(database)];
  await unstarted(many, 150, 600);
  await unstarted(few, 3, 60);
  const first = await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100);
  expect(first).toHaveLength(100);
  expect(first.filter(({ workspaceId }) => workspaceId === few)).toHaveLength(3);
  const second = await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100);
  expect(second).toHaveLength(53);
  expect(new Set([...first, ...second].map(({ executionId }) => executionId)).size).toBe(153);
  expect(await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100)).toEqual([]);
});
