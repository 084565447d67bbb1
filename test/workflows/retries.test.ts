// test: long
import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { KEEPING_NOTHING } from '../../domain/execution/executionRetry.ts';
import { createRetry } from '../../prisma/store/execution/createRetry.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { compare } from '../model/comparison.ts';
import { type RandomGraph, randomGraphs } from '../model/randomGraphs.ts';
import { SUB_WORKFLOWS } from '../model/subWorkflows.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, type Graph } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

/** Long form: RETRY_RUNS=120. */
const RUNS = Number(process.env.RETRY_RUNS ?? 12);
const SEED = Number(process.env.RETRY_SEED ?? randomInt(2 ** 31));

test('the reconciler starts a retry whose start was lost, with its kept steps', async () => {
  const home = await makeHome();
  const remote = (id: string) => action(id, 'testing.succeed', { output: id });
  const workflowId = await home.deploy({ nodes: [remote('a'), remote('b')], edges: chain('a', 'b') });
  const first = await home.ended(await home.execute(workflowId));
  const head = await readWorkflowHead(stackDatabase(), home.workspaceId, workflowId);
  const id = v7();
  const created = await createRetry(stackDatabase(), home.workspaceId, {
    id,
    ofId: first.id,
    headVersionId: String(head?.versionId),
    versionId: String(head?.versionId),
    trigger: undefined,
    variables: { names: [] },
    requestId: 'lost',
    by: { type: 'user', id: v7() },
    keeping: { ...KEEPING_NOTHING, progress: { nodes: { a: { status: 'COMPLETED' } } }, kept: ['a'] },
    most: 1,
  });
  expect(created).toMatchObject({ outcome: 'created' });
  const second = await home.ended(id);
  expect(statuses(second)).toEqual({ a: 'COMPLETED', b: 'COMPLETED' });
  expect(stepOf(second, 'a')).toMatchObject({ reused: true, startedAt: stepOf(first, 'a').startedAt });
  expect(stepOf(second, 'b').reused).toBeUndefined();
});

test('a retry in which a stop node ends the execution as a loop begins its child workflows', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    nodes: [
      action('a', 'core.set', { values: {} }),
      control('loop', 'forEach', { items: '{{ trigger.items }}', concurrency: 100 }),
      action('work', 'testing.wait', { ms: 60_000 }, { parentId: 'loop' }),
      control('short', 'delay', { forMs: 300 }),
      control('end', 'stop', { outcome: 'completed', output: 'ended' }),
    ],
    edges: edges('a>loop', 'a>short', 'short>end'),
  });
  const items = Array.from({ length: 250 }, (_, index) => index);
  const retries = Array.from({ length: 8 }, async () => {
    const first = await home.ended(await home.execute(workflowId, { items }));
    expect(first).toMatchObject({ status: 'COMPLETED', output: 'ended' });
    const { body } = await home.api('POST', `/api/executions/${first.id}/retry`, { body: { fromStep: 'loop' } });
    return home.ended(body.executionId);
  });
  for (const { id, status, output } of await Promise.all(retries)) {
    expect([status, output, await engineStatus(id)]).toEqual(['COMPLETED', 'ended', 'COMPLETED']);
  }
});

/** Follows an execution and answers its questions; nobody cancels. */
async function live(home: Home, executionId: string, { answers }: RandomGraph) {
  const met = new Set<string>();
  await home.until(executionId, ({ status, pendingInput = [] }) => {
    for (const { nodeId, stepId } of pendingInput) {
      const isNew = !met.has(stepId) && answers.get(nodeId) === 'answer';
      if (isNew) void home.submit(executionId, nodeId, { said: nodeId }, stepId);
      met.add(stepId);
    }
    return ['COMPLETED', 'FAILED'].includes(status);
  });
  return home.read(executionId);
}

interface Place {
  nodeId: string;
  iteration: object[];
}
const isSame = (step: Place) => (other: Place) =>
  other.nodeId === step.nodeId && isDeepStrictEqual(other.iteration, step.iteration);

function hasFailedAround({ nodes }: Graph, nodeId: string, { executionPath }: { executionPath: LoopStep[] }): boolean {
  const loopId = nodes.find(({ id }) => id === nodeId)?.parentId;
  if (loopId === undefined) return false;
  const hasFailed = executionPath.some((step) => step.nodeId === loopId && (step.iterations?.failed ?? 0) > 0);
  return hasFailed || hasFailedAround({ nodes }, loopId, { executionPath });
}
interface LoopStep {
  nodeId: string;
  iterations?: { failed: number };
}

const uncancelled = ({ answers }: RandomGraph) => [...answers.values()].every((what) => what !== 'cancel');

test(
  'a random execution, retried from any of its steps, ends as the reducer says',
  async () => {
    const home = await makeHome();
    for (const graph of SUB_WORKFLOWS) await home.deploy(graph);
    const graphs = fc.sample(randomGraphs().filter(uncancelled), { numRuns: RUNS, seed: SEED });
    const again = async (random: RandomGraph, index: number) => {
      const { graph } = random;
      const first = await live(home, await home.execute(await home.deploy(graph)), random);
      const { nodeId: fromStep } = first.executionPath[index % first.executionPath.length];
      const answer = await home.api('POST', `/api/executions/${first.id}/retry`, { body: { fromStep } });
      const second = await live(home, answer.body.executionId, random);
      try {
        expect(await engineStatus(second.id)).toBe(second.status);
        // An execution may end before the step, and so may a loop that a failed iteration stops.
        const begun = second.executionPath.find(({ nodeId }: { nodeId: string }) => nodeId === fromStep);
        if (compare(random, second) === 'whole' && !hasFailedAround(graph, fromStep, second))
          expect(begun).toBeDefined();
        expect(begun?.reused).toBeUndefined();
        for (const { id: _, reused, reusedFrom, ...step } of second.executionPath) {
          if (!reused) continue;
          const { id: __, ...before } = first.executionPath.find(isSame(step));
          expect(step).toEqual(before);
          expect(reusedFrom).toEqual({ executionId: first.id });
        }
        return [compare(random, first), compare(random, second)];
      } catch (error) {
        const details = JSON.stringify({ graph, fromStep, first, second }, null, 1);
        throw new Error(`RETRY_SEED=${SEED}, graph ${index}: ${(error as Error).message}\n${details}`);
      }
    };
    console.log(`retries: RETRY_SEED=${SEED}`);
    const details = await Promise.all(graphs.map(again));
    for (const [first, second] of details) expect(second).toBe(first);
  },
  120_000 + 5_000 * RUNS,
);
