import { Problem } from '../../../domain/problem.ts';
import { ITEM_STATUSES, isItemStatus } from '../../../domain/queue/itemStatus.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { ANY_QUEUE } from '../../../prisma/store/queue/resource.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { listOf } from '../../resources/listOf.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

const PAGING = { by: 'offset', limit: 50 } as const;

export const listQueueItems = listOf(QUEUE_ITEM, { paging: PAGING });

const listInStatus = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: inStatus });

/** A queue that is not there is told before a status that is none. */
export const listQueueItemsByStatus = async (request: ResourceRequest): Promise<unknown> => {
  const { status, queueId } = request.params as { status: string; queueId: string };
  if (isItemStatus(status)) return listInStatus(request);
  await readResource(request.services.database, request.caller, ANY_QUEUE, queueId);
  throw notAStatus(`one of ${ITEM_STATUSES.join(', ')}`);
};

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
  throw notAStatus(QUEUE_ITEM.filters.status?.expected ?? '');
}

function notAStatus(expected: string): Problem {
  return new Problem('VALIDATION_FAILED', `status: expected ${expected}`, {
    errors: [{ path: 'status', message: `expected ${expected}` }],
  });
}
