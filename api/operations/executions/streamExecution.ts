import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { EventStream, type Operation } from '../../operation.ts';

export const streamExecution: Operation<'streamExecution'> = async ({ caller, params, headers, signal, services }) => {
  const { executionId } = params;
  const lastRevision = Number.parseInt(headers['last-event-id'] ?? '', 10);
  const stream = await services.followers.follow(
    caller.workspaceId,
    executionId,
    Number.isNaN(lastRevision) ? undefined : lastRevision,
    signal,
  );
  if (!stream) throw notFound(EXECUTION);
  return new EventStream(stream);
};
