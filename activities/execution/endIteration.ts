import type { EndIterationCall, IterationResult } from '../../domain/execution/activityCalls.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { endStatusOf } from './endExecution.ts';
import { iterationEnd } from './loopOutput.ts';
import { scopeEndWrite } from './scopeEnd.ts';

export async function endIteration(services: ActivityServices, call: EndIterationCall): Promise<IterationResult> {
  const { database } = services;
  const { workspaceId, executionId, iteration } = call;
  const definition = await services.definitions.get(call);
  const context = await readRunContext(database, workspaceId, executionId, { steps: [], iteration });
  if (!context) throw new ExecutionGone(`execution ${executionId}`);
  const { iterations = [] } = await scopeEndWrite(
    services,
    call,
    definition,
    call.ending,
    expressionScope(services, definition, call, context),
  );
  const change = await services.writer.record(workspaceId, executionId, {
    steps: [],
    iterations,
    cancelled: [`${iteration}/`],
  });
  if (!change) return { endStatus: await endStatusOf(services, call) };
  const { MAX_OUTPUT_BYTES } = services.config;
  const { iterationEnded: ended = 'FAILED', ...rest } = iterationEnd(
    definition,
    iteration,
    iterations[0],
    change,
    MAX_OUTPUT_BYTES,
  );
  return { ended, ...rest };
}
