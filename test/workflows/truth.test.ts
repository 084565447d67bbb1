// test: long
import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare } from '../model/comparison.ts';
import { type RandomGraph, randomGraphs } from '../model/randomGraphs.ts';
import { SUB_WORKFLOWS } from '../model/subWorkflows.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

/** Long form: TRUTH_RUNS=400. */
const RUNS = Number(process.env.TRUTH_RUNS ?? 20);
const SEED = Number(process.env.TRUTH_SEED ?? randomInt(2 ** 31));
const AT_ONCE = 10;

async function live(home: Home, random: RandomGraph): Promise<string> {
  const executionId = await home.execute(await home.deploy(random.graph));
  const handle = (await stackTemporal()).workflow.getHandle(executionId);
  const met = new Set<string>();
  await home.until(executionId, ({ status, pendingInput = [] }) => {
    for (const { nodeId, stepId } of pendingInput) {
      if (met.has(stepId)) continue;
      met.add(stepId);
      const what = random.answers.get(nodeId);
      if (what === 'answer') void home.submit(executionId, nodeId, { said: nodeId }, stepId);
      else if (what === 'cancel') void handle.cancel().catch(() => undefined);
    }
    return ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'].includes(status);
  });
  return executionId;
}

const ENGINE: Record<string, string> = { COMPLETED: 'COMPLETED', FAILED: 'FAILED', CANCELLED: 'CANCELLED' };

test(
  `row, engine and reducer agree on ${RUNS} random executions`,
  async () => {
    const home = await makeHome();
    for (const graph of SUB_WORKFLOWS) await home.deploy(graph);
    const graphs = fc.sample(randomGraphs(), { numRuns: RUNS, seed: SEED });
    const counts: Record<string, number> = {};
    const count = (what: string, by = 1) => {
      counts[what] = (counts[what] ?? 0) + by;
    };
    const queue = [...graphs.entries()];
    const client = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, random] = next;
        const executionId = await live(home, random);
        const engine = await engineStatus(executionId);
        const execution = await home.read(executionId);
        try {
          expect(engine).toBe(ENGINE[execution.status]);
          expect(execution.pendingInput).toEqual([]);
          count(compare(random, execution));
        } catch (error) {
          const details = JSON.stringify({ graph: random.graph, execution }, null, 1);
          throw new Error(
            `TRUTH_SEED=${SEED} TRUTH_RUNS=${RUNS}, graph ${index}: ${(error as Error).message}\n${details}`,
          );
        }
        count(execution.status);
        count('steps', execution.executionPath.length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    console.log(`truth: seed ${SEED}, ${RUNS} executions, ${JSON.stringify(counts)}`);
    expect(counts.whole).toBeGreaterThan(RUNS / 4);
  },
  60_000 + 4_000 * RUNS,
);
