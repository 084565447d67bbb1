import { planNode } from '../domain/execution/progress.ts';
import type { Plan } from '../domain/workflow/plan.ts';

/** What the Temporal UI shows as current details of an execution that waits for people. */
export function statusDetails(plan: Plan, questions: string[], running: number): string {
  const labels = questions.map((nodeId) => `"${planNode(plan, nodeId).label}" (${nodeId})`).join(', ');
  const others = running > questions.length ? `; ${running} more in progress` : '';
  return `Waiting for input at ${labels}${others}`;
}
