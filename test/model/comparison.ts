import { expect } from '@jest/globals';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { NOTHING_DONE, type Progress } from '../../domain/execution/progress.ts';
import { apply, begin, ending, openNodes, ready } from '../../domain/execution/reducer.ts';
import { compileDefinition } from '../../domain/workflow/compile.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { validateDefinition } from '../../domain/workflow/validate.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { statuses } from '../setup/workspace/home.ts';
import { compareOutputs } from './knownOutputs.ts';
import type { RandomGraph } from './randomGraphs.ts';

const catalogue = buildCatalogue({ testing: true });
const limits = { maxBytes: 1e6, maxNodes: 1e3, maxExpressions: 1e6 };

function definitionOf({ graph }: RandomGraph): Definition {
  const { definition, problems } = validateDefinition({ edges: [], ...graph }, { catalogue, limits });
  if (!definition) throw new Error(JSON.stringify(problems));
  return definition;
}

/** A loop is one node here; its expected output is that of its iterations. */
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

function ends({ expected, answers, graph }: RandomGraph, nodeId: string): boolean {
  if (answers.get(nodeId) === 'cancel') return true;
  const outcome = expected.get(nodeId)?.outcome;
  if (outcome?.status === 'COMPLETED') return outcome.stop !== undefined;
  return (graph.nodes.find(({ id }) => id === nodeId)?.onError ?? 'fail') === 'fail';
}

interface PathStep {
  nodeId: string;
  status: string;
  iteration: { nodeId: string; index: number }[];
  iterations?: { total?: number; completed: number; failed: number; reused?: number };
  reused?: true;
  startedAt: string | null;
  stoppedAt: string | null;
}

const scopeOf = ({ iteration }: Pick<PathStep, 'iteration'>) =>
  iteration.map(({ nodeId, index }) => `${nodeId}:${index}`).join('/');

/** Each step exists once per iteration, and begins after its predecessors have ended, in any scope. */
function compareOrder(edges: Plan['edges'], path: PathStep[]): void {
  const byScope = new Map<string, Map<string, { step: PathStep; at: number }>>();
  for (const [at, step] of path.entries()) {
    const scope = byScope.get(scopeOf(step)) ?? new Map();
    expectAbout(scope.has(step.nodeId), `${step.nodeId} once in "${scopeOf(step)}"`).toBe(false);
    byScope.set(scopeOf(step), scope.set(step.nodeId, { step, at }));
  }
  for (const [key, scope] of byScope) {
    for (const { from, to } of edges) {
      const source = scope.get(from);
      const target = scope.get(to);
      if (!source || !target) continue;
      expectAbout(source.at, `${from} before ${to} in "${key}"`).toBeLessThan(target.at);
      const { stoppedAt } = source.step;
      const { startedAt } = target.step;
      expectAbout(stoppedAt, `${from} has ended in "${key}", since ${to} is there`).toBeTruthy();
      if (startedAt)
        expectAbout(stoppedAt && stoppedAt <= startedAt, `${from} ended before ${to} started in "${key}"`).toBe(true);
    }
  }
}

/** In a sequential loop, iterations do not overlap. An ended loop counts each iteration once. */
function compareIterations({ graph }: RandomGraph, path: PathStep[]): void {
  // If a retry reuses a loop, its own step is reused.
  for (const loop of path.filter(({ iterations, reused }) => iterations !== undefined && !reused)) {
    const { nodeId, iterations, status } = loop;
    const within = `${scopeOf(loop)}${loop.iteration.length > 0 ? '/' : ''}${nodeId}:`;
    const depth = loop.iteration.length;
    const inner = path.filter((step) => scopeOf(step).startsWith(within) && step.iteration.length === depth + 1);
    for (const step of inner)
      expectAbout(before(loop.startedAt, step.startedAt), `${within} before its steps`).toBe(true);
    if (status === 'COMPLETED') {
      const ended = (iterations?.completed ?? 0) + (iterations?.failed ?? 0);
      expectAbout(ended, `${within} iterations`).toBe(iterations?.total);
      expectAbout(new Set(inner.map(scopeOf)).size, `${within} iterations that left steps`).toBe(ended);
      for (const step of inner)
        expectAbout(before(step.stoppedAt, loop.stoppedAt), `${within} after its steps`).toBe(true);
    }
    const concurrency = graph.nodes.find(({ id }) => id === nodeId)?.inputs?.concurrency ?? 1;
    // In a loop that a retry resumes, an iteration may run after later ones that are reused.
    if (concurrency === 1 && iterations?.reused === undefined) compareSequence(inner, depth);
  }
}

/** The iterations of the loop are sequential. */
function compareSequence(steps: PathStep[], depth: number): void {
  for (const one of steps) {
    const next = steps.filter(({ iteration }) => one.iteration[depth]?.index === (iteration[depth]?.index ?? 0) - 1);
    for (const other of next)
      expectAbout(before(one.stoppedAt, other.startedAt), `${scopeOf(one)} before ${scopeOf(other)}`).toBe(true);
  }
}

function before(one?: string | null, other?: string | null): boolean {
  return !one || !other || one <= other;
}

/**
 * Throws if an ended execution, read through the API, differs from the reducer in memory. `ended early`: something
 * ended it while other branches were open, so that several paths are right.
 */
// biome-ignore lint/suspicious/noExplicitAny: its shape was checked against openapi.yaml
export function compare(random: RandomGraph, read: any): 'whole' | 'ended early' {
  const definition = definitionOf(random);
  const whole = compileDefinition(definition, catalogue).plan;
  compareOutputs(definition, catalogue, read);
  const plan = topOf(whole);
  const executionPath = read.executionPath.filter(({ iteration }: { iteration: unknown[] }) => iteration.length === 0);
  const execution = { ...read, executionPath };
  compareOrder(whole.edges, read.executionPath);
  compareIterations(random, read.executionPath);
  const path = statuses(execution);
  const order: string[] = execution.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId);
  for (const { nodeId, status, output, error } of execution.executionPath) {
    const { outcome, output: expected } = random.expected.get(nodeId) ?? {};
    if (status === 'CANCELLED') continue;
    expectAbout(status, nodeId).toBe(outcome?.status);
    if (status === 'FAILED') expect(error.code).not.toBe('');
    else if (expected !== undefined) expectAbout(output, nodeId).toEqual(expected);
  }

  const reduced = reduce(plan, random, (nodeId) => !ends(random, nodeId) || random.answers.get(nodeId) !== 'cancel');
  const blocked = ready(plan, reduced).length > 0;
  if (!reduced.ended && !blocked) {
    const run = Object.entries(reduced.nodes).filter(([, { status }]) => status !== 'SKIPPED');
    expect(path).toEqual(Object.fromEntries(run.map(([nodeId, { status }]) => [nodeId, status])));
    expect(execution.status).toBe('COMPLETED');
    const end = ending(plan, reduced);
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

  // The other branches may have reached any state that the reducer allows.
  const decided = (nodeId: string) => path[nodeId] === 'COMPLETED' || path[nodeId] === 'FAILED';
  const others = reduce(plan, random, (nodeId) => decided(nodeId) && !ends(random, nodeId));
  const begun = new Set([...Object.keys(others.nodes), ...ready(plan, others).map(({ id }) => id)]);
  for (const nodeId of order) expectAbout(begun, `${nodeId} could begin`).toContain(nodeId);
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
