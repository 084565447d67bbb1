import { Problem } from '../../../domain/problem.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { listOf } from '../../resources/listOf.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

const PAGING = { by: 'offset', limit: 50 } as const;

export const listQueueItems = listOf(QUEUE_ITEM, { paging: PAGING });

export const listQueueItemsByStatus = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: inStatus });

/** Across all queues. Queue and entity are shown where nothing else is asked for. */
export const listObjectQueueItems = (request: ResourceRequest): Promise<unknown> => {
  const { expansion = 'queue,object' } = request.query;
  return listOfObject({ ...request, query: { ...request.query, expansion } });
};

const listOfObject = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: withStatus });

function inStatus({ params }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  const { status } = params as { status: string };
  return { conditions: [Prisma.sql`t.status = ${status}`] };
}

function withStatus({ query }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  const { status } = query as { status?: string };
  if (status === undefined) return {};
  const condition = QUEUE_ITEM.filters.status?.where(status);
  if (condition) return { conditions: [condition] };
  const expected = QUEUE_ITEM.filters.status?.expected;
  throw new Problem('VALIDATION_FAILED', `status: expected ${expected}`, {
    errors: [{ path: 'status', message: `expected ${expected}` }],
  });
}
