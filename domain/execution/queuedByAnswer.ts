import type { Plan } from '../workflow/plan.ts';
import { lookahead } from './lookahead.ts';
import { begin, ready } from './progress.ts';
import { type EarlierStep, resume } from './resume.ts';

/**
 * Remote nodes that become ready with the answer to a question, as the rows of its scope tell. `plan` is of the scope.
 * What other branches have done since the rows were read may make more of them ready: those show when they begin.
 */
export function queuedByAnswer(plan: Plan, nodeId: string, steps: readonly EarlierStep[]): string[] {
  const open = steps.map((step) => step.nodeId);
  const progress = begin(resume(plan, steps).progress, [...open, nodeId]);
  const before = new Set(ready(plan, progress).map((node) => node.id));
  const { queue = [] } = lookahead(plan, progress, { nodeId, status: 'COMPLETED' });
  return queue.filter((id) => !before.has(id));
}
