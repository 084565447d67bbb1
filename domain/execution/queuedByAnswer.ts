import type { Plan } from '../workflow/plan.ts';
import { lookahead } from './lookahead.ts';
import { begin, ready } from './progress.ts';
import { type EarlierStep, resume } from './resume.ts';

/** Whether what follows an answer hangs on nothing but the answer: no other branch leads there, and nothing is skipped. */
export function standsAlone(plan: Plan, nodeId: string): boolean {
  const outgoing = plan.edges.filter(({ from }) => from === nodeId);
  const isJoin = (id: string) => plan.edges.filter(({ to }) => to === id).length > 1;
  return outgoing.every(({ to, handle }) => handle === undefined && !isJoin(to));
}

/**
 * Remote nodes that become ready with the answer to a question, as the rows of its scope tell. `plan` is of the scope.
 * What other branches have done since the rows were read may make more of them ready: those show when they begin.
 * Of a question that stands alone, no rows need be known.
 */
export function queuedByAnswer(plan: Plan, nodeId: string, steps: readonly EarlierStep[]): string[] {
  const open = steps.map((step) => step.nodeId);
  const progress = begin(resume(plan, steps).progress, [...open, nodeId]);
  const before = new Set(ready(plan, progress).map((node) => node.id));
  const { queue = [] } = lookahead(plan, progress, { nodeId, status: 'COMPLETED' });
  return queue.filter((id) => !before.has(id));
}
