import type { RegionResult, ScopeRef } from '../domain/execution/activityCalls.ts';
import { loopKey } from '../domain/execution/iteration.ts';
import { lookaheads } from '../domain/execution/lookahead.ts';
import type { Progress } from '../domain/execution/progress.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { type NextRun, RUN_NODE, type RunNodeArguments } from './names.ts';
import { runPart } from './partOfExecution.ts';

/** A scope of the calling workflow, as it is now. */
interface Scope {
  ref: ScopeRef;
  plan: Plan;
  progress: Progress;
}

/** Runs a node that is open in its scope in a workflow of its own, to its end (runNode.ts). */
export function runElsewhere({ ref, plan, progress }: Scope, node: PlanNode, next: NextRun): Promise<RegionResult> {
  const args = { ref, node, ...lookaheads(plan, progress, node.id), next };
  const workflowId = `${ref.executionId}/${loopKey(ref.iteration ?? '', node.id)}`;
  const { workspaceId } = ref;
  const text = `Goes on: ${node.label}`;
  return runPart<RegionResult, RunNodeArguments>({ type: RUN_NODE, workspaceId, workflowId, args, text });
}
