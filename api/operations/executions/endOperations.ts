import { endOnRequest } from '../../../engine/executions/endOnRequest.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { bulk } from '../../executions/bulk.ts';
import { requestEnd } from '../../executions/requestEnd.ts';
import type { Operation } from '../../operation.ts';

export const cancelExecution: Operation<'cancelExecution'> = ({ caller, params, body, services, signal }) => {
  const request = { workspaceId: caller.workspaceId, executionId: params.executionId, reason: body?.reason };
  return requestEnd(services, { ...request, how: 'cancel' }, signal);
};

export const terminateExecution: Operation<'terminateExecution'> = ({ caller, params, body, services, signal }) => {
  const request = { workspaceId: caller.workspaceId, executionId: params.executionId, reason: body?.reason };
  return requestEnd(services, { ...request, how: 'terminate' }, signal);
};

export const bulkCancelExecutions: Operation<'bulkCancelExecutions'> = ({ caller, body, services }) => {
  const { reason, terminate = false, ...filter } = body;
  const { workspaceId } = caller;
  const how = terminate ? 'terminate' : 'cancel';
  // After one failed call to the engine, the reconciler does the rest: the request must not wait for each deadline.
  let tellsEngine = true;
  return bulk({
    services,
    viewer: caller,
    filter,
    target: 'open',
    act: async (executionId) => {
      const outcome = await endOnRequest(services, { workspaceId, executionId, how, reason, tellsEngine });
      if (outcome === 'undelivered') tellsEngine = false;
      if (outcome === 'absent') throw notFound(EXECUTION);
    },
  });
};
