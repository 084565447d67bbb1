import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../prisma/client.ts';
import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { action } from '../definitions.ts';
import { historiesOf } from './histories.ts';
import { followLoop, pageThrough, readPath } from './reads.ts';
import type { ScaleStack } from './scaleStack.ts';

const LOOK_MS = 250;
const BATCH = { executions: 100, steps: 5_000, iterations: 5_000 };
/** Older than any execution of the bench. */
const DAYS = 30_000;
/** Temporal ends a workflow at 51,200 events. */
const MAX_EVENTS = 10_000;

const LOOP = 'loop';
const STEP = 'step';

export interface LongLoop {
  name: string;
  iterations: number;
  nodes: object[];
}

/** Nothing waits inside, so regions run it. */
export function quickLoop(iterations: number): LongLoop {
  return {
    name: `repeat of ${iterations}, one inline step each`,
    iterations,
    nodes: [
      repeat(iterations),
      { ...action(STEP, 'core', 'transform', { value: '{{ loop.index }}' }), parentId: LOOP },
    ],
  };
}

export function emptyLoop(iterations: number): LongLoop {
  return { name: `repeat of ${iterations}, nothing inside`, iterations, nodes: [repeat(iterations)] };
}

/** Each iteration has a remote action, so workflows run it. */
export function remoteLoop(iterations: number): LongLoop {
  const items = `{{ parseJson("[0" + padStart("", ${2 * (iterations - 1)}, ",0") + "]") }}`;
  return {
    name: `forEach over ${iterations}, one remote action each, 100 at once`,
    iterations,
    nodes: [
      { id: LOOP, type: 'forEach', inputs: { items, concurrency: 100 } },
      { ...action(STEP, 'testing', 'succeed', { output: '{{ loop.index }}' }), parentId: LOOP },
    ],
  };
}

function repeat(times: number): object {
  return { id: LOOP, type: 'repeat', inputs: { times, maximumIterations: times } };
}

export async function longLoop(scale: ScaleStack, slug: string, { name, iterations, nodes }: LongLoop): Promise<void> {
  const workflowId = await scale.deploy({ slug, nodes, edges: [] });
  const { temporalAddress } = scale.stack.running;
  let ended = '';
  await scale.stage(name, async () => {
    ended = await scale.execute(workflowId);
    const followed = followLoop(scale, ended);
    await scale.untilEnded(ended, 'COMPLETED');
    const histories = await historiesOf(temporalAddress, ended);
    if (histories.longest > MAX_EVENTS) throw new Error(`a history of ${histories.longest} events`);
    return { histories, rows: await rowsOf(scale, ended), follower: await followed };
  });
  await scale.stage(`${name}: read`, async () => ({
    path: await readPath(scale, ended, LOOP, iterations),
    pages: await pageThrough(scale, ended, nodes.length > 1 ? STEP : LOOP, nodes.length > 1 ? iterations : 1),
  }));
  let cancelled = '';
  await scale.stage(`${name}: cancelled in the middle`, async () => {
    cancelled = await scale.execute(workflowId);
    const done = await untilIterations(scale, cancelled, Math.min(Math.floor(iterations / 10), 2_000));
    const startedAt = performance.now();
    const { body } = await scale.client.call('POST', `/api/executions/${cancelled}/cancel`);
    if (body.status === 'COMPLETED') return { iterationsDone: iterations, cancelled: false };
    await scale.untilEnded(cancelled, 'CANCELLED');
    const ms = Math.round(performance.now() - startedAt);
    return { iterationsDone: done, cancelMs: ms, histories: await historiesOf(temporalAddress, cancelled) };
  });
  await scale.stage(`${name}: both deleted`, () => deleteBoth(scale, [ended, cancelled]));
}

async function untilIterations(scale: ScaleStack, executionId: string, count: number): Promise<number> {
  for (;;) {
    const [row] = await scale.sql<{ done: number }>(
      'SELECT iterations_completed AS done FROM execution_steps WHERE execution_id = $1 AND node_id = $2',
      [executionId, LOOP],
    );
    if (row && row.done >= count) return row.done;
    await sleep(LOOK_MS);
  }
}

async function rowsOf(scale: ScaleStack, executionId: string): Promise<object | undefined> {
  const [row] = await scale.sql(
    `SELECT (SELECT count(*)::int FROM execution_steps WHERE execution_id = $1) AS steps,
      (SELECT count(*)::int FROM execution_iterations WHERE execution_id = $1) AS iterations,
      (SELECT revision FROM executions WHERE id = $1) AS revision`,
    [executionId],
  );
  return row;
}

async function deleteBoth(scale: ScaleStack, ids: string[]): Promise<object> {
  await scale.sql(`UPDATE executions SET stopped_at = now() - interval '31000 days' WHERE id = ANY ($1)`, [ids]);
  const database = createDatabase(scale.stack.running.databaseUrl, 1);
  let batches = 0;
  let longestMs = 0;
  try {
    for (let gone = 0; gone < ids.length; ) {
      const startedAt = performance.now();
      const deleted = await deleteOldExecutions(database, DAYS, BATCH);
      longestMs = Math.max(longestMs, Math.round(performance.now() - startedAt));
      if (Object.values(deleted).every((count) => count === 0)) throw new Error('nothing more was deleted');
      gone += deleted.executions;
      batches += 1;
    }
  } finally {
    await database.close();
  }
  return { batches, longestMs };
}
