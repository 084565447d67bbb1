import type { JsonObject } from '../../../domain/json.ts';
import type { BulkTarget } from '../../../prisma/store/execution/matchExecutions.ts';
import { credentialOf } from '../../access/caller.ts';
import { bulk } from '../../executions/bulk.ts';
import { retryOne } from '../../executions/retryOne.ts';
import type { Operation, OperationRequest } from '../../operation.ts';

export const retryExecution: Operation<'retryExecution'> = async ({ caller, params, body, services, ...request }) => {
  const start = { executionId: request.resourceId, requestId: request.requestId, by: credentialOf(caller) };
  const { fromStep, input, version, loops, failedItems, again } = body ?? {};
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
      ...(again === undefined ? {} : { again }),
    },
    start,
  );
  return { executionId: start.executionId };
};

export const bulkRetryExecutions: Operation<'bulkRetryExecutions'> = ({
  caller,
  body,
  services,
  requestId,
  resourceId,
}) => {
  const { version = 'original', loops, failedItems, ...filter } = body;
  const request = {
    version,
    ...(loops === undefined ? {} : { loops }),
    ...(failedItems === undefined ? {} : { failedItems }),
  };
  const { workspaceId } = caller;
  // Only one of two concurrent calls by filter retries an execution. A call that names it may always.
  const key = filter.executionIds === undefined ? 'bulk retry' : `bulk retry ${resourceId}`;
  return bulk({
    services,
    viewer: caller,
    filter,
    target: targetOf(body),
    countsFailedItems: failedItems !== undefined,
    skipsRetried: true,
    act: (executionId) =>
      retryOne(services, workspaceId, executionId, request, {
        executionId: services.executionIds(executionId, key),
        requestId,
        by: credentialOf(caller),
      }),
  });
};

function targetOf({
  filterBy = '',
  executionIds,
  failedItems,
}: OperationRequest<'bulkRetryExecutions'>['body']): BulkTarget {
  if (executionIds !== undefined) return failedItems === undefined ? 'named' : 'namedWithFailedItems';
  if (!/(^|,)\s*status:/.test(filterBy)) return 'failed';
  return failedItems === undefined ? 'failedOrCancelled' : 'withFailedItems';
}
