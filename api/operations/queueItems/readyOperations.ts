import { ANY_QUEUE } from '../../../prisma/store/queue/resource.ts';
import { listReady } from '../../../prisma/store/queueItem/listReady.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

const DEFAULT_LIMIT = 50;

export const listReadyQueueItems: Operation<'listReadyQueueItems'> = async ({ caller, params, query, services }) => {
  const { limit = DEFAULT_LIMIT, priority, ...read } = query;
  await readResource(services.database, caller, ANY_QUEUE, params.queueId);
  const options = { query: read, answerBytes: services.config.MAX_ANSWER_BYTES };
  return listReady(services.database, caller, params.queueId, { limit, leastPriority: priority }, options);
};

export const listRetryQueueItems: Operation<'listRetryQueueItems'> = async ({ caller, params, query, services }) => {
  const { limit = DEFAULT_LIMIT, ...read } = query;
  await readResource(services.database, caller, ANY_QUEUE, params.queueId);
  const options = { query: read, answerBytes: services.config.MAX_ANSWER_BYTES };
  return listReady(services.database, caller, params.queueId, { limit, only: 'RETRYING' }, options);
};
