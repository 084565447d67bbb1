import { endExecution } from '../../executions/endExecution.ts';
import type { Operation } from '../../operation.ts';

export const cancelExecution: Operation<'cancelExecution'> = ({ caller, params, body, services, signal }) => {
  const request = { workspaceId: caller.workspaceId, executionId: params.executionId, reason: body?.reason };
  return endExecution(services, { ...request, how: 'cancel' }, signal);
};
