import type { JsonObject } from '../../../domain/json.ts';
import { credentialOf } from '../../access/caller.ts';
import { bulk } from '../../executions/bulk.ts';
import { retryOne } from '../../executions/retryOne.ts';
import type { Operation } from '../../operation.ts';

export const retryExecution: Operation<'retryExecution'> = async ({ caller, params, body, services, ...request }) => {
  const start = { executionId: request.resourceId, requestId: request.requestId, by: credentialOf(caller) };
  const { fromStep, input, version, loops, failedItems } = body ?? {};
  await retryOne(
    services,
    caller.workspaceId,
    params.executionId,
    {
      ...(fromStep === undefined ? {} : { fromStep }),
      ...(input === undefined ? {} : { input: input as JsonObject }),
      ...(version === undefined ? {} : { version }),
      ...(loops === undefined ? {} : { loops }),
      ...(failedItems === undefined ? {} : { failedItems }),
    },
    start,
  );
  return { executionId: start.executionId };
};

export const bulkRetryExecutions: Operation<'bulkRetryExecutions'> = ({ caller, body, services, requestId }) => {
  const { version = 'original', loops, failedItems, ...filter } = body;
  const request = {
    version,
    ...(loops === undefined ? {} : { loops }),
    ...(failedItems === undefined ? {} : { failedItems }),
  };
  const { workspaceId } = caller;
  const namesStatus = /(^|,)\s*status:/.test(filter.filterBy ?? '');
  return bulk({
    services,
    viewer: caller,
    filter,
    target: !namesStatus ? 'failed' : failedItems === undefined ? 'failedOrCancelled' : 'withFailedItems',
    countsFailedItems: failedItems !== undefined,
    // Of two concurrent calls only one retries it.
    act: (executionId) =>
      retryOne(services, workspaceId, executionId, request, {
        executionId: services.executionIds(executionId, 'bulk retry'),
        requestId,
        by: credentialOf(caller),
      }),
  });
};
