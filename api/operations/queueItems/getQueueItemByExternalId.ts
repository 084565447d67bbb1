import { Problem } from '../../../domain/problem.ts';
import { ANY_QUEUE } from '../../../prisma/store/queue/resource.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { readOf } from '../../resources/readOf.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

const read = readOf(QUEUE_ITEM, { by: 'externalId' });

/** Where there is no such item, a queue that is not there is told first. */
export const getQueueItemByExternalId = async (request: ResourceRequest): Promise<unknown> => {
  try {
    return await read(request);
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') {
      const { queueId } = request.params as { queueId: string };
      await readResource(request.services.database, request.caller, ANY_QUEUE, queueId);
    }
    throw error;
  }
};
