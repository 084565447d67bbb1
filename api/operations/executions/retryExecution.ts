import type { JsonObject } from '../../../domain/json.ts';
import { retryOne } from '../../executions/retryOne.ts';
import type { Operation } from '../../operation.ts';

export const retryExecution: Operation<'retryExecution'> = async ({ caller, params, body, services, ...request }) => {
  const start = { executionId: request.resourceId, requestId: request.requestId };
  const { fromStep, input, version } = body ?? {};
  await retryOne(
    services,
    caller.workspaceId,
    params.executionId,
    {
      ...(fromStep === undefined ? {} : { fromStep }),
      ...(input === undefined ? {} : { input: input as JsonObject }),
      ...(version === undefined ? {} : { version }),
    },
    start,
  );
  return { executionId: start.executionId };
};
