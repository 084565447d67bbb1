import { Problem } from '../../../domain/problem.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { EventStream, type Operation } from '../../operation.ts';

export const streamExecution: Operation<'streamExecution'> = async ({ caller, params, headers, signal, services }) => {
  const { executionId } = params;
  const lastRevision = Number.parseInt(headers['last-event-id'] ?? '', 10);
  const stream = isUuid(executionId)
    ? await services.followers.follow(
        caller.workspaceId,
        executionId,
        Number.isNaN(lastRevision) ? undefined : lastRevision,
        signal,
      )
    : undefined;
  if (!stream) throw new Problem('NOT_FOUND', `There is no execution ${executionId}`);
  return new EventStream(stream);
};
