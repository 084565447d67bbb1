import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail, ProblemFix } from '../problem.ts';
import { TRIGGER_ID } from './definition.ts';

export type LinearDefinition =
  | { candidate: { trigger?: unknown; nodes: Json[]; edges: unknown[] }; problems: [] }
  | { candidate?: undefined; problems: ProblemDetail[] };

/** Steps without an id get step1, step2, … by position. validateDefinition checks shapes; inSteps converts places. */
export function linearDefinition(steps: unknown, trigger?: unknown): LinearDefinition {
  if (!Array.isArray(steps)) {
    return { problems: [{ path: 'steps', message: `expected a list of steps, got ${kindOfJson(steps)}` }] };
  }
  const problems = steps.flatMap(routeProblem);
  if (problems.length > 0) return { problems };
  const nodes = steps.map(linearNode);
  const ids = nodes.map((node) => (isJsonObject(node) ? (node.id as Json) : null));
  const edges = ids.map((id, index) => ({ source: index === 0 ? TRIGGER_ID : ids[index - 1], target: id }));
  return { candidate: { ...(trigger === undefined ? {} : { trigger }), nodes, edges }, problems: [] };
}

function routeProblem(step: Json, index: number): ProblemDetail[] {
  if (!isJsonObject(step) || step.onError !== 'route') return [];
  const message = 'steps have no error edge to route to: expected fail or continue, or a full graph of nodes and edges';
  return [{ path: pathTo(pathTo('steps', index), 'onError'), message }];
}

function linearNode(step: Json, index: number): Json {
  if (!isJsonObject(step)) return step;
  const node: JsonObject = { ...step, id: step.id ?? `step${index + 1}`, type: step.type ?? 'action' };
  return node;
}

/** Converts the validator's places for the author of steps: node i is step i, edge i leads to step i. */
export function inSteps(problems: readonly ProblemDetail[]): ProblemDetail[] {
  return problems.map((problem) => ({
    ...problem,
    path: stepPlace(problem.path),
    message: stepPlace(problem.message),
    ...(problem.fix === undefined ? {} : { fix: fixInSteps(problem.fix) }),
  }));
}

function fixInSteps({ label, edits }: ProblemFix): ProblemFix {
  return { label, edits: edits.map(({ path, value }) => ({ path: stepPlace(path), value })) };
}

export function stepPlace(text: string): string {
  return text.replace(/\bnodes(?=\[\d|$)/g, 'steps').replace(/\bedges\[(\d+)\](?:\.\w+)?/g, 'steps[$1]');
}
