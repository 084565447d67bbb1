import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

export const listQueueItemErrors: Operation<'listQueueItemErrors'> = async ({ caller, params, services }) => {
  // One large value alone is shown whole.
  const history = { ...QUEUE_ITEM, defaults: { list: [], single: ['errorHistory'] } };
  const options = { scope: { queueId: params.queueId } };
  const { errorHistory } = await readResource(services.database, caller, history, params.itemId, options);
  return errorHistory;
};
