import type { Outcome } from '../execution/outcome.ts';
import { NOTHING_DONE, type Progress } from '../execution/progress.ts';
import { apply, begin, ending, openNodes, ready } from '../execution/reducer.ts';
import type { Definition, Node } from '../workflow/definition.ts';
import { isLoop } from '../workflow/definition.ts';
import { caseNames } from '../workflow/handles.ts';
import type { Plan } from '../workflow/plan.ts';

/** One successful path through a scope, with the handles of its completed steps. `last` form its output. */
export interface ScopeEnd {
  /** Includes steps that failed and whose failure was ignored. */
  ran: ReadonlySet<string>;
  completed: ReadonlyMap<string, string | undefined>;
  last: readonly string[];
  /** A stop node that ended the execution, or a loop with one inside. */
  stoppedBy?: string;
}

/** Limits on the paths that are computed, and on the steps in all of them. */
const MAX_ENDS = 256;
const MAX_STEPS = 20_000;

/** Uses the reducer of executions itself. Undefined if there are too many paths. */
export function scopeEnds(plan: Plan, definition: Definition): ScopeEnd[] | undefined {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const ends: ScopeEnd[] = [];
  const open: Progress[] = [NOTHING_DONE];
  let steps = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const progress = begin(
      at,
      ready(plan, at).map(({ id }) => id),
    );
    const [next] = openNodes(progress);
    const isEnd = next === undefined || progress.ended !== undefined;
    if (isEnd) {
      const end = endOf(plan, progress);
      if (end) ends.push(end);
    } else {
      for (const outcome of outcomesOf(nodes.get(next) as Node, definition)) open.push(apply(plan, progress, outcome));
    }
    steps += 1;
    if (ends.length > MAX_ENDS || steps > MAX_STEPS) return undefined;
  }
  return ends;
}

function endOf(plan: Plan, progress: Progress): ScopeEnd | undefined {
  const end = ending(plan, progress);
  if (end?.status !== 'COMPLETED') return undefined;
  const completed = new Map(
    Object.entries(progress.nodes).flatMap(([id, node]) =>
      node.status === 'COMPLETED' ? [[id, node.handle] as const] : [],
    ),
  );
  const ran = new Set(Object.keys(progress.nodes).filter((id) => progress.nodes[id]?.status !== 'SKIPPED'));
  return 'endNodes' in end
    ? { ran, completed, last: end.endNodes }
    : { ran, completed, last: [], stoppedBy: end.nodeId };
}

function outcomesOf(node: Node, definition: Definition): Outcome[] {
  const { id: nodeId, type, onError = 'fail' } = node;
  const failed: Outcome[] = onError === 'fail' ? [] : [{ nodeId, status: 'FAILED', code: 'FAILED' }];
  const completed = handlesOf(node, definition).map(
    (handle): Outcome => ({ nodeId, status: 'COMPLETED', ...(handle === undefined ? {} : { handle }) }),
  );
  const stopped: Outcome[] =
    type === 'stop' || holdsStop(node, definition) ? [{ nodeId, status: 'COMPLETED', stop: 'completed' }] : [];
  if (type === 'stop') return mayComplete(node) ? [...stopped, ...failed] : failed;
  return [...completed, ...stopped, ...failed];
}

function handlesOf(node: Node, { edges }: Definition): (string | undefined)[] {
  const leaving = edges.filter(({ source }) => source === node.id).map(({ sourceHandle }) => sourceHandle);
  if (node.type === 'condition') return ['true', 'false'];
  if (node.type === 'input') return leaving.includes('expired') ? [undefined, 'expired'] : [undefined];
  if (node.type !== 'switch') return [undefined];
  const named = leaving.filter((handle) => handle !== undefined && handle !== 'error');
  return [...new Set([...caseNames(node), ...named, 'default'])];
}

function holdsStop(loop: Node, { nodes }: Pick<Definition, 'nodes'>): boolean {
  if (!isLoop(loop.type)) return false;
  return nodes.some(
    (node) => node.parentId === loop.id && ((node.type === 'stop' && mayComplete(node)) || holdsStop(node, { nodes })),
  );
}

/** Returns false if the stop node always fails the execution. */
function mayComplete({ inputs }: Node): boolean {
  return inputs?.outcome !== 'failed';
}
