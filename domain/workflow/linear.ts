import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { TRIGGER_ID } from './definition.ts';

export type LinearDefinition =
  | { candidate: { trigger?: unknown; nodes: Json[]; edges: unknown[] }; problems: [] }
  | { candidate?: undefined; problems: ProblemDetail[] };

/**
 * The `steps` of an upsert or a run as a candidate for validateDefinition, which checks their shape too: its
 * places go through inSteps. Steps without an id are step1, step2, … by their place.
 *
 *   trigger → step1 → step2 → …
 */
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

/** The validator's places as the author of steps knows them: node i is step i, edge i leads to step i. */
export function inSteps(problems: readonly ProblemDetail[]): ProblemDetail[] {
  return problems.map((problem) => ({
    ...problem,
    path: stepPlace(problem.path),
    message: stepPlace(problem.message),
  }));
}

/** The same for one place, or a text that names places. */
export function stepPlace(text: string): string {
  return text.replace(/\bnodes(?=\[\d|$)/g, 'steps').replace(/\bedges\[(\d+)\](?:\.\w+)?/g, 'steps[$1]');
}
