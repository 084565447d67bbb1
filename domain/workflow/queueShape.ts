import { isUuid } from '../isUuid.ts';
import type { JsonObject } from '../json.ts';
import { type QueueConfig, TRIGGER_ID, type TriggerNode } from './definition.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const MAX_ITEMS_OF_BATCH = 500;

/** The upsert checks that the queue exists (api/operations/workflows/queueProblems.ts). */
export function readQueue(config: JsonObject, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  const queueId = shape.text('queueId', 200);
  if (!shape.has('queueId')) shape.problem('queueId', 'required: the id of the queue whose items start the workflow');
  else if (queueId !== undefined && !isUuid(queueId)) shape.problem('queueId', 'expected the id of a queue');
  const expected = `a whole number from 1 to ${MAX_ITEMS_OF_BATCH}`;
  const isSize = (size: number) => Number.isInteger(size) && size >= 1 && size <= MAX_ITEMS_OF_BATCH;
  const queue: QueueConfig = {
    queueId: queueId?.toLowerCase() ?? '',
    ...memberIfPresent('batchSize', shape.number('batchSize', expected, isSize)),
  };
  shape.refuseOthers('the config of a queue trigger');
  return { id: TRIGGER_ID, type: 'queue', config: queue };
}
