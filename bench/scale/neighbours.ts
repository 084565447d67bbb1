import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { createDatabase } from '../../prisma/client.ts';
import { action, WEBHOOK } from '../definitions.ts';
import { jsonClient } from '../jsonClient.ts';
import { runBlock } from '../load.ts';
import type { ScaleStack } from './scaleStack.ts';

const CLIENTS = 10;
const ALONE = 20;
const PAUSE_MS = 500;

const SLOW_MS = 60_000;

const REMOTE = { nodes: [action('work', 'testing', 'succeed', { output: 1 })], edges: [] };
const SLOW = { nodes: [action('work', 'testing', 'wait', { ms: SLOW_MS })], edges: [] };

/** Like `neighbours`, with slow executions, whose actions exceed a worker's slots. */
export async function slowNeighbours(scale: ScaleStack, count: number): Promise<void> {
  await neighbours(
    scale,
    count,
    SLOW,
    `${count} starts of ${SLOW_MS / 1_000} s each of one workspace, another beside them`,
  );
}

/** Starts `count` executions in one workspace as fast as possible; measures another workspace's wait for its own. */
export async function neighbours(
  scale: ScaleStack,
  count: number,
  load: object = REMOTE,
  name = `${count} starts of one workspace, another beside them`,
): Promise<void> {
  const { databaseUrl } = scale.stack.running;
  const database = createDatabase(databaseUrl, 1);
  const other = await createWorkspace(database, { name: 'Neighbour', email: 'neighbour@bench.local' });
  await database.close();
  const client = jsonClient(scale.stack.credentials.url, { 'x-api-key': other.apiKey });
  try {
    const path = `/api/projects/${other.projectId}/workflows/upsert`;
    const { body } = await client.call('POST', path, { slug: 'neighbour', trigger: WEBHOOK, ...REMOTE });
    // Milliseconds from each call to its response with the execution's output.
    const answered = async (calls: number) =>
      (await runBlock(calls, 1, () => client.call('POST', `/api/webhooks/workflows/${body.id}`, {}))).latenciesMs;
    const alone = await answered(ALONE);

    const workflowId = await scale.deploy({ slug: 'scale-many', ...load });
    await scale.stage(name, async () => {
      const beside: number[] = [];
      let isOver = false;
      const watching = (async () => {
        for (; !isOver; await sleep(PAUSE_MS)) beside.push(...(await answered(1)));
      })();
      await runBlock(count, CLIENTS, async () => void (await scale.execute(workflowId)));
      const open = `SELECT count(*)::int AS open FROM executions WHERE status NOT IN ('COMPLETED', 'FAILED')`;
      const [left] = await scale.sql<{ open: number }>(open);
      while ((await scale.sql<{ open: number }>(open))[0]?.open) await sleep(PAUSE_MS);
      const openInEngine = await runningIn(scale.stack.running.temporalAddress);
      isOver = true;
      await watching;
      return {
        openWhenAllWereAccepted: left?.open,
        openInEngineWhenAllHadEnded: openInEngine,
        aloneMs: spread(alone),
        besideMs: spread(beside),
        calls: beside.length,
      };
    });
  } finally {
    await client.close();
  }
}

/** Executions whose rows have ended end in Temporal a moment later; many of them mean that their last tasks wait. */
async function runningIn(address: string): Promise<number> {
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  return (await workflow.count(`ExecutionStatus = 'Running'`).finally(() => connection.close())).count;
}

function spread(times: number[]): { p50: number; p95: number; most: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), most: at(1) };
}
