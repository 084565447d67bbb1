import type { EndCall } from '../../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import type { Ending } from '../../domain/execution/progress.ts';
import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import type { ExecutionEnd } from '../../domain/execution/stepRecord.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import { type RunContext, readRunContext } from '../../prisma/store/execution/runContext.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { ActivityServices } from '../services.ts';
import { executionEndOf } from './scopeEnd.ts';

export async function endExecution(services: ActivityServices, call: EndCall): Promise<TerminalStatus> {
  const { database } = services;
  const context = await readRunContext(database, call.workspaceId, call.executionId, { steps: [] });
  if (!context) return 'CANCELLED';
  if (isTerminal(context.status)) return context.status;

  const end: ExecutionEnd =
    'reason' in call.end
      ? { status: call.end.status, statusMessage: call.end.reason }
      : await evaluatedEnd(services, call, call.end, context);
  const change = await writeExecutionEnd(database, call.workspaceId, call.executionId, end);
  if (!change) return endStatusOf(services, call);
  services.feed.publish(change);
  return end.status;
}

async function evaluatedEnd(
  services: ActivityServices,
  call: EndCall,
  ending: Ending,
  context: RunContext,
): Promise<ExecutionEnd> {
  const definition = await services.definitions.get(call);
  return executionEndOf(services, call, definition, ending, expressionScope(services, definition, call, context));
}

/** Returns the status of an execution that no longer accepted a write; CANCELLED if its row is deleted. */
export async function endStatusOf(
  { database }: ActivityServices,
  { workspaceId, executionId }: ExecutionRef,
): Promise<TerminalStatus> {
  const ended = await readRunContext(database, workspaceId, executionId, { steps: [] });
  return ended && isTerminal(ended.status) ? ended.status : 'CANCELLED';
}
