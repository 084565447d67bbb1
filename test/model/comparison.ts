import { expect } from 'vitest';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import {
  apply,
  begin,
  ending,
  NOTHING_DONE,
  openNodes,
  type Progress,
  ready,
} from '../../domain/execution/progress.ts';
import { compileDefinition } from '../../domain/workflow/compile.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { validateDefinition } from '../../domain/workflow/validate.ts';
import { statuses } from '../setup/home.ts';
import type { RandomGraph } from './randomGraphs.ts';

const catalogue = buildCatalogue({ testing: true });
const limits = { maxBytes: 1e6, maxNodes: 1e3 };

function planOf({ graph }: RandomGraph): Plan {
  const { definition, problems } = validateDefinition({ edges: [], ...graph }, { catalogue, limits });
  if (!definition) throw new Error(JSON.stringify(problems));
  return topOf(compileDefinition(definition, catalogue).plan);
}

/** A loop is one node here: what its iterations came to is its expected output. */
function topOf({ nodes, edges }: Plan): Plan {
  const top = nodes.filter(({ parentId }) => parentId === undefined);
  const ids = new Set(top.map(({ id }) => id));
  return { nodes: top, edges: edges.filter(({ to }) => ids.has(to)) };
}

/** The reducer in memory, with the expected outcomes of the nodes that `may` run. */
function reduce(plan: Plan, { expected }: RandomGraph, may: (nodeId: string) => boolean): Progress {
  let progress = NOTHING_DONE;
  for (;;) {
    progress = begin(
      progress,
      ready(plan, progress)
        .map(({ id }) => id)
        .filter(may),
    );
    const [next] = openNodes(progress);
    if (next === undefined || progress.ended) return progress;
    const outcome = expected.get(next)?.outcome;
    if (outcome) progress = apply(plan, progress, outcome);
  }
}

/** Whether the node ends the execution for the others too. */
function ends({ expected, answers, graph }: RandomGraph, nodeId: string): boolean {
  if (answers.get(nodeId) === 'cancel') return true;
  const outcome = expected.get(nodeId)?.outcome;
  if (outcome?.status === 'COMPLETED') return outcome.stop !== undefined;
  return (graph.nodes.find(({ id }) => id === nodeId)?.onError ?? 'fail') === 'fail';
}

interface PathStep {
  nodeId: string;
  iteration: { nodeId: string; index: number }[];
  startedAt: string | null;
  stoppedAt: string | null;
}

/** Each iteration's step is there once, and where a loop goes one by one, none began before the one before had ended. */
function compareIterations({ graph }: RandomGraph, path: PathStep[]): void {
  for (const { id, parentId } of graph.nodes) {
    const loop = graph.nodes.find((node) => node.id === parentId);
    if (!loop) continue;
    const indexOf = ({ iteration }: PathStep) => iteration.at(-1)?.index ?? -1;
    const steps = path.filter(({ nodeId }) => nodeId === id).sort((one, other) => indexOf(one) - indexOf(other));
    expect(steps.map(indexOf), `${id}: iterations`).toEqual([...new Set(steps.map(indexOf))]);
    if ((loop.inputs?.concurrency ?? 1) !== 1) continue;
    for (const [at, { startedAt }] of steps.entries()) {
      const stoppedAt = steps[at - 1]?.stoppedAt;
      if (startedAt && stoppedAt) expect(stoppedAt <= startedAt, `${id}: ${at} after the one before`).toBe(true);
    }
  }
}

/**
 * Compares an ended execution, read through the API, with what the reducer in memory makes of its graph. Throws where
 * they differ. `ended early`: something ended it while other branches were open, so that several paths are right.
 */
// biome-ignore lint/suspicious/noExplicitAny: its shape was checked against openapi.yaml
export function compare(random: RandomGraph, read: any): 'whole' | 'ended early' {
  const plan = planOf(random);
  const executionPath = read.executionPath.filter(({ iteration }: { iteration: unknown[] }) => iteration.length === 0);
  const execution = { ...read, executionPath };
  compareIterations(random, read.executionPath);
  const path = statuses(execution);
  const order: string[] = execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId);
  expect(new Set(order).size).toBe(order.length);
  const times = new Map<string, { startedAt: string | null; stoppedAt: string | null }>(
    execution.executionPath.map((step: { nodeId: string }) => [step.nodeId, step]),
  );
  for (const { from, to } of plan.edges) {
    if (!path[from] || !path[to]) continue;
    expect(order.indexOf(from), `${from} before ${to}`).toBeLessThan(order.indexOf(to));
    const stoppedAt = times.get(from)?.stoppedAt;
    const startedAt = times.get(to)?.startedAt;
    expect(stoppedAt, `${from} has ended, since ${to} is there`).toBeTruthy();
    if (startedAt) expect(stoppedAt && stoppedAt <= startedAt, `${from} ended before ${to} started`).toBe(true);
  }
  for (const { nodeId, status, output, error } of execution.executionPath) {
    const { outcome, output: expected } = random.expected.get(nodeId) ?? {};
    if (status === 'CANCELLED') continue;
    expect(status, nodeId).toBe(outcome?.status);
    if (status === 'FAILED') expect(error.code).not.toBe('');
    else if (expected !== undefined) expect(output, nodeId).toEqual(expected);
  }

  const whole = reduce(plan, random, (nodeId) => !ends(random, nodeId) || random.answers.get(nodeId) !== 'cancel');
  const blocked = ready(plan, whole).length > 0;
  if (!whole.ended && !blocked) {
    const run = Object.entries(whole.nodes).filter(([, { status }]) => status !== 'SKIPPED');
    expect(path).toEqual(Object.fromEntries(run.map(([nodeId, { status }]) => [nodeId, status])));
    expect(execution.status).toBe('COMPLETED');
    const end = ending(plan, whole);
    const endNodes = end && 'endNodes' in end ? end.endNodes : [];
    const outputs = endNodes.map((nodeId) => [
      nodeId,
      execution.executionPath.find((step: { nodeId: string }) => step.nodeId === nodeId).output,
    ]);
    expect(execution.output).toEqual(
      outputs.length === 0 ? null : outputs.length === 1 ? outputs[0]?.[1] : Object.fromEntries(outputs),
    );
    return 'whole';
  }

  // What ended it may have come at any moment of the other branches: the path is one that the reducer can reach.
  const decided = (nodeId: string) => path[nodeId] === 'COMPLETED' || path[nodeId] === 'FAILED';
  const others = reduce(plan, random, (nodeId) => decided(nodeId) && !ends(random, nodeId));
  const begun = new Set([...Object.keys(others.nodes), ...ready(plan, others).map(({ id }) => id)]);
  for (const nodeId of order) expect(begun, `${nodeId} could begin`).toContain(nodeId);
  for (const nodeId of order.filter((id) => decided(id) && !ends(random, id))) {
    expect(others.nodes[nodeId]?.status).toBe(path[nodeId]);
  }
  const enders = order.filter(
    (nodeId) => ends(random, nodeId) && (decided(nodeId) || random.answers.get(nodeId) === 'cancel'),
  );
  const possible = enders.map((nodeId) => {
    if (random.answers.get(nodeId) === 'cancel') return 'CANCELLED';
    const outcome = random.expected.get(nodeId)?.outcome;
    return outcome?.status === 'COMPLETED' && outcome.stop === 'completed' ? 'COMPLETED' : 'FAILED';
  });
  expect(possible).toContain(execution.status);
  return 'ended early';
}
