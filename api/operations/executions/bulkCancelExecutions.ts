import { Problem } from '../../../domain/problem.ts';
import { endOnRequest } from '../../../engine/endOnRequest.ts';
import { bulk } from '../../executions/bulk.ts';
import type { Operation } from '../../operation.ts';

export const bulkCancelExecutions: Operation<'bulkCancelExecutions'> = ({ caller, body, services }) => {
  const { reason, ...filter } = body;
  const { workspaceId } = caller;
  return bulk({
    services,
    workspaceId,
    filter,
    target: 'open',
    act: async (executionId) => {
      const outcome = await endOnRequest(services, { workspaceId, executionId, how: 'cancel', reason });
      if (outcome === 'absent') throw new Problem('NOT_FOUND', `There is no execution ${executionId}`);
    },
  });
};
