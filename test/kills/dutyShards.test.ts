// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Stack, startStack } from '../setup/stack/ownStack.ts';
import { type PartOfStack, startPart } from '../setup/stack/partOfStack.ts';
import { countStarts, type StartCounter } from '../setup/stack/startCounter.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeOf } from '../setup/workspace/home.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

// Three workers share the duties, which needs a Postgres server for several processes.
const withSessions = process.env.DATABASE_URL ? test : test.skip;

const MOVES_MS = 10_000;
const WORKSPACES = 32;
const LOST_STARTS = 5;
const PATIENCE = { timeout: 120_000, interval: 500 };

let stack: Stack;
let database: Database;
const counters: StartCounter[] = [];
const workers: PartOfStack[] = [];

beforeAll(async () => {
  if (!process.env.DATABASE_URL) return;
  stack = await startStack({ environment: { RECONCILE_INTERVAL_MS: '1000' } });
  const settings = { METRICS_PORT: '0', RECONCILE_INTERVAL_MS: '1000' };
  for (let count = 0; count < 2; count += 1) {
    const counter = await countStarts(stack.temporalAddress);
    counters.push(counter);
    workers.push(await startPart(stack, 'worker', { ...settings, TEMPORAL_ADDRESS: counter.address }));
  }
  database = createDatabase(stack.databaseUrl, 1);
}, 180_000);

afterAll(async () => {
  await database?.close();
  for (const worker of workers) await worker.kill();
  await stack?.dispose();
  for (const counter of counters) await counter.close();
});

/** Returns the shards of each sharded duty per worker, as `5+5+6`. */
async function leaseTable(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ duty: string; counts: string }>(`
    SELECT duty, string_agg(shards::text, '+' ORDER BY shards) AS counts FROM (
      SELECT duty, holder, count(*) AS shards FROM duty_leases WHERE expires_at > now() GROUP BY duty, holder) held
    GROUP BY duty HAVING sum(shards) > 1 ORDER BY duty`);
  return Object.fromEntries(rows.map(({ duty, counts }) => [duty, counts]));
}

async function untilShared(counts: string): Promise<Record<string, string>> {
  await poll(async () => [...new Set(Object.values(await leaseTable()))], { timeout: MOVES_MS, interval: 200 }).toEqual(
    [counts],
  );
  return leaseTable();
}

/** Creates a workflow in a new workspace, with executions whose start was lost. */
async function loseStarts(): Promise<void> {
  const credentials = await makeWorkspace({ url: stack.url, database });
  const home = homeOf({ ...credentials, url: () => stack.url });
  const workflowId = await home.deploy({ nodes: [action('a', 'testing.succeed')] });
  const { versionId } = await database.workflow.findUniqueOrThrow({ where: { id: workflowId } });
  await database.execution.createMany({
    data: Array.from({ length: LOST_STARTS }, (_, number) => ({
      ...{ id: v7(), workspaceId: home.workspaceId, workflowId, versionId: versionId as string, number: number + 1 },
      ...{ name: 'lost', source: 'WORKFLOW', trigger: {}, variables: {}, reconciledAt: new Date(0) },
    })),
  });
}

withSessions(
  'three workers share a backlog, and two take over the shards of one that is killed',
  async () => {
    const before = await untilShared('5+5+6');
    for (const counter of counters) counter.starts.clear();
    await Promise.all(Array.from({ length: WORKSPACES }, loseStarts));
    const completed = () => database.execution.count({ where: { name: 'lost', status: 'COMPLETED' } });
    await poll(completed, PATIENCE).toBe(WORKSPACES * LOST_STARTS);
    const calls = counters.map(({ starts }) => starts.size);
    await workers[0]?.kill();
    const after = await untilShared('8+8');
    console.log(
      `leases of three workers: ${JSON.stringify(before)}; of two: ${JSON.stringify(after)}; starts: ${calls}`,
    );
    expect(calls.filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(WORKSPACES * LOST_STARTS * 1.1);
  },
  300_000,
);
