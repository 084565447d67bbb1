import { readStats } from '../../../prisma/store/queue/readStats.ts';
import type { Operation } from '../../operation.ts';

export const getQueueStats: Operation<'getQueueStats'> = ({ caller, params, services }) =>
  readStats(services.database, caller, params.queueId, 'queue');

export const getQueueItemStats: Operation<'getQueueItemStats'> = ({ caller, params, services }) =>
  readStats(services.database, caller, params.queueId, 'items');
