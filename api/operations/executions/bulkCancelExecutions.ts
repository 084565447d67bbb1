import { endOnRequest } from '../../../engine/endOnRequest.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { bulk } from '../../executions/bulk.ts';
import type { Operation } from '../../operation.ts';

export const bulkCancelExecutions: Operation<'bulkCancelExecutions'> = ({ caller, body, services }) => {
  const { reason, ...filter } = body;
  const { workspaceId } = caller;
  return bulk({
    services,
    viewer: caller,
    filter,
    target: 'open',
    act: async (executionId) => {
      const outcome = await endOnRequest(services, { workspaceId, executionId, how: 'cancel', reason });
      if (outcome === 'absent') throw notFound(EXECUTION);
    },
  });
};
