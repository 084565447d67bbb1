import type { Plan } from '../workflow/plan.ts';
import { lookahead } from './lookahead.ts';
import { begin, ready } from './reducer.ts';
import { type EarlierStep, resume } from './resume.ts';

/**
 * Returns the remote nodes that become ready when a question is answered. `plan` and `steps` are those of its scope.
 * Writes of other branches may make more nodes ready later; these are shown when they begin. A question without other
 * branches needs no rows.
 */
export function queuedByAnswer(plan: Plan, nodeId: string, steps: readonly EarlierStep[]): string[] {
  const open = steps.map((step) => step.nodeId);
  const progress = begin(resume(plan, steps).progress, [...open, nodeId]);
  const before = new Set(ready(plan, progress).map((node) => node.id));
  const { queue = [] } = lookahead(plan, progress, { nodeId, status: 'COMPLETED' });
  return queue.filter((id) => !before.has(id));
}
