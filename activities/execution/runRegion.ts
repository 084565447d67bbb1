import { activityInfo } from '@temporalio/activity';
import type { LocalHint, RegionCall, RegionResult } from '../../domain/execution/activityCalls.ts';
import type { Outcome } from '../../domain/execution/outcome.ts';
import { ending, openNodes } from '../../domain/execution/reducer.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { iterationPlan } from '../../domain/workflow/scopePlan.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import type { ActivityServices } from '../services.ts';
import { timerMs } from './delayNode.ts';
import { iterationEnd } from './loopOutput.ts';
import { LostTries } from './lostTries.ts';
import { readAnswers, readFor } from './regionReads.ts';
import { RegionRun } from './regionRun.ts';
import { scopeEndWrite } from './scopeEnd.ts';

/** Until a node needs a remote action or a person: one read, one write. Written steps are reused after a crash. */
export async function runRegion(services: ActivityServices, call: RegionCall, hint: LocalHint): Promise<RegionResult> {
  const definition = await services.definitions.get(call);
  const plan = iterationPlan(definition.plan, call.iteration);
  const answers = await readAnswers(services, call);
  const isTop = call.iteration === undefined;
  const context = await readFor(services, call, definition, plan);
  if (!context) throw new ExecutionGone(`execution ${call.executionId}`);

  services.tracing.noteExecution(call.executionId, context.trace);
  const host = hostOf(call);
  const lostTries = await LostTries.of(services, call, hint);
  const run = new RegionRun({ services, call, definition, plan, context, answers, host, hint, lostTries });
  await run.run();
  if (isTerminal(context.status)) {
    await lostTries?.done();
    return { outcomes: run.outcomes, endStatus: context.status };
  }

  const write = run.toWrite();
  // If a question or a retry is still open, the workflow writes the end and closes them. It also does so if an earlier
  // write shows a step as queued that this progress no longer begins.
  const alone = call.sole && !run.memory.hasRecorded && openNodes(run.memory.progress).length === 0;
  const end = alone ? ending(plan, run.memory.progress) : undefined;
  if (end)
    Object.assign(write, await scopeEndWrite(services, call, definition, end, run.memory.scope, write.iterations));
  const change = await services.writer.record(call.workspaceId, call.executionId, write);
  await lostTries?.done();
  const ended = end && !isTop ? write.iterations?.at(-1) : undefined;
  return {
    outcomes: run.outcomes.map(withTimeLeft),
    ...(write.end ? { endStatus: write.end.status } : {}),
    ...iterationEnd(definition, call.iteration, ended, change, services.config.MAX_OUTPUT_BYTES),
  };
}

/** Returns the workflow that runs the scope, unless it is the execution's own. */
function hostOf({ executionId, host = activityInfo().workflowExecution?.workflowId }: RegionCall): string | undefined {
  return host === executionId ? undefined : host;
}

/** The workflow's clock stops while the activity runs, so its timer needs the remaining time. */
function withTimeLeft(outcome: Outcome): Outcome {
  return outcome.status === 'WAITING' ? { ...outcome, delayMs: timerMs(outcome.wakeAt) } : outcome;
}
