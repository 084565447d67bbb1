import type { EndIterationCall, IterationResult } from '../../domain/execution/activityCalls.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { endingWrite } from './iterationClosing.ts';

/** Writes the end of an iteration of which steps may be open: they are closed. */
export async function endIteration(services: ActivityServices, call: EndIterationCall): Promise<IterationResult> {
  const { database } = services;
  const { workspaceId, executionId, iteration } = call;
  const definition = await services.definitions.get(call);
  const context = await readRunContext(database, workspaceId, executionId, { steps: [], iteration });
  if (!context) throw new Error(`Execution ${executionId} has no row`);
  const { iterations = [] } = await endingWrite(
    services,
    call,
    definition,
    call.ending,
    expressionScope(call, context),
  );
  const change = await recordProgress(database, workspaceId, executionId, {
    steps: [],
    iterations,
    cancelled: [`${iteration}/`],
  });
  if (change) {
    services.feed.publish(change);
    return { ended: iterations[0]?.status ?? 'FAILED' };
  }
  const ended = await readRunContext(database, workspaceId, executionId, { steps: [] });
  return { closed: ended && isTerminal(ended.status) ? ended.status : 'CANCELLED' };
}
