import { Problem } from '../../../domain/problem.ts';
import { ITEM_STATUSES, type ItemStatus, isItemStatus } from '../../../domain/queue/itemStatus.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { itemTotal } from '../../../prisma/store/queue/counts.ts';
import { ANY_QUEUE } from '../../../prisma/store/queue/resource.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { listOf } from '../../resources/listOf.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

const PAGING = { by: 'offset', limit: 50 } as const;

export const listQueueItems = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: countedByStatus });

const listInStatus = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: inStatus });

/** A missing queue is refused before an unknown status. */
export const listQueueItemsByStatus = async (request: ResourceRequest): Promise<unknown> => {
  const { status, queueId } = request.params as { status: string; queueId: string };
  if (isItemStatus(status)) return listInStatus(request);
  await readResource(request.services.database, request.caller, ANY_QUEUE, queueId);
  throw notAStatus(`one of ${ITEM_STATUSES.join(', ')}`);
};

/** Lists items of all queues, by default with queue and entity. */
export const listObjectQueueItems = (request: ResourceRequest): Promise<unknown> => {
  const { expansion = 'queue,object' } = request.query;
  return listOfObject({ ...request, query: { ...request.query, expansion } });
};

const listOfObject = listOf(QUEUE_ITEM, { paging: PAGING, narrowed: withStatus });

/** If only a status is requested, the counters of the queue have the total. */
function countedByStatus({ caller, params, query }: ResourceRequest): Pick<ListOptions, 'total'> {
  const { filterBy = '' } = query;
  const asked = /^(?:status:([A-Z|]+))?$/.exec(filterBy);
  if (!asked) return {};
  const statuses = asked[1]?.split('|').filter(isItemStatus) ?? ITEM_STATUSES;
  const { queueId } = params as { queueId: string };
  return { total: itemTotal(caller.workspaceId, queueId, statuses) };
}

function inStatus({ caller, params }: ResourceRequest): Pick<ListOptions, 'conditions' | 'total'> {
  const { status, queueId } = params as { status: ItemStatus; queueId: string };
  return { conditions: [Prisma.sql`t.status = ${status}`], total: itemTotal(caller.workspaceId, queueId, [status]) };
}

function withStatus({ caller, query }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  const { status } = query as { status?: string };
  if (status === undefined) return {};
  const condition = QUEUE_ITEM.filters.status?.where(status, caller);
  if (condition) return { conditions: [condition] };
  throw notAStatus(QUEUE_ITEM.filters.status?.expected ?? '');
}

function notAStatus(expected: string): Problem {
  return new Problem('VALIDATION_FAILED', `status: expected ${expected}`, {
    errors: [{ path: 'status', message: `expected ${expected}` }],
  });
}
