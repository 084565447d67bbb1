import { z } from 'zod';
import { derivedId } from '../../../domain/derivedId.ts';
import { isTimestamp } from '../../../domain/instant.ts';
import { ITEM_STATUSES } from '../../../domain/queue/itemStatus.ts';
import type { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import { itemDataProblems, problemWords } from '../../../engine/queues/itemData.ts';
import type { Database } from '../../../prisma/client.ts';
import { missingObjects } from '../../../prisma/store/object/missingObjects.ts';
import { hasQueue } from '../../../prisma/store/queue/requireWritable.ts';
import { createItems } from '../../../prisma/store/queueItem/createItems.ts';
import { findItems } from '../../../prisma/store/queueItem/findItems.ts';
import {
  completeItem,
  failTakenItem,
  postponeItem,
  type SettledItem,
} from '../../../prisma/store/queueItem/settleItems.ts';
import { anyJson, jsonObject, withInputs } from '../checkedInputs.ts';
import {
  type ActionCall,
  type ActionOrigin,
  type ActionResult,
  type Executor,
  failed,
  stepOf,
  succeeded,
} from '../executor.ts';

export interface QueueSettings {
  /** The platform's database, which contains the queues. */
  database: Database;
  evaluation: Evaluation;
}

const id = z.uuid('expected an id');
const time = z.string().refine(isTimestamp, 'expected a time such as 2026-11-21T10:15:30Z');
/** The limit of the API, which counts code points and not UTF-16 units. */
const MAX_CHARACTERS = 200;
const externalId = z
  .string()
  .min(1)
  .refine((text) => [...text].length <= MAX_CHARACTERS, 'expected at most 200 characters');
const MAX_FOUND = 500;

/** Repeating an action after a crash changes nothing and returns the same result. */
export function buildQueue({
  database,
  evaluation,
}: QueueSettings): Record<'add' | 'complete' | 'fail' | 'postpone' | 'find', Executor> {
  return {
    add: withInputs(
      {
        queueId: id,
        data: anyJson,
        externalId: externalId.optional(),
        metadata: jsonObject.optional(),
        priority: z.int().min(-2_147_483_648).max(2_147_483_647).optional(),
        scheduledFor: time.optional(),
        maxRetries: z.int().min(0).max(1_000).optional(),
        objectId: id.optional(),
        duplicates: z.enum(['skip', 'update']).default('skip'),
      },
      async ({ queueId, duplicates, ...inputs }, { origin, idempotencyKey }: ActionCall) => {
        const { workspaceId, executionId } = stepOf(origin);
        if (!(await hasQueue(database, workspaceId, queueId))) {
          return failed('NOT_FOUND', `There is no queue ${queueId}`);
        }
        const { objectId } = inputs;
        if (objectId !== undefined && (await missingObjects(database, workspaceId, [objectId])).size > 0) {
          return failed('NOT_FOUND', `There is no entity ${objectId}`);
        }
        const given = [{ path: '', data: inputs.data }];
        const problems = await itemDataProblems({ database, evaluation }, workspaceId, queueId, given);
        if (problems.length > 0) return failed('VALIDATION_FAILED', problemWords(problems));
        const item = { ...inputs, id: derivedId(origin?.lineageId ?? executionId, `item ${idempotencyKey}`) };
        const options = { duplicates, by: { type: 'execution', id: executionId } } as const;
        const [added] = await createItems(database, workspaceId, queueId, [item], options);
        if (!added) throw new Error('An item was written without an answer');
        return succeeded({ itemId: added.id, status: added.status, isDuplicate: added.outcome !== 'created' });
      },
    ),
    complete: withInputs({ itemId: id }, ({ itemId }, { origin }) =>
      settled(itemId, origin, (by) => completeItem(database, by, itemId)),
    ),
    fail: withInputs(
      {
        itemId: id,
        message: z.string().min(1).max(10_000),
        code: z.string().min(1).max(200).optional(),
        details: anyJson.optional(),
      },
      ({ itemId, message, code, details }, { origin }) => {
        const error = {
          message,
          ...(code === undefined ? {} : { code }),
          ...(details === undefined ? {} : { details }),
        };
        return settled(itemId, origin, (by) => failTakenItem(database, by, itemId, error));
      },
    ),
    postpone: withInputs({ itemId: id, until: time }, ({ itemId, until }, { origin }) =>
      settled(itemId, origin, (by) => postponeItem(database, by, itemId, new Date(until))),
    ),
    find: withInputs(
      {
        queueId: id,
        externalId: z.string().optional(),
        status: z.enum(ITEM_STATUSES).optional(),
        limit: z.int().min(1).max(MAX_FOUND).default(50),
      },
      async (search, { origin }) => {
        const items = await findItems(database, stepOf(origin).workspaceId, search);
        return items ? succeeded({ items }) : failed('NOT_FOUND', `There is no queue ${search.queueId}`);
      },
    ),
  };
}

async function settled(
  itemId: string,
  origin: ActionOrigin | undefined,
  act: (by: ReturnType<typeof stepOf>) => Promise<SettledItem | undefined>,
): Promise<ActionResult> {
  const item = await act(stepOf(origin));
  if (!item) return failed('NOT_FOUND', `There is no item ${itemId}`);
  if (item.outcome !== 'refused') return succeeded({ itemId, status: item.status });
  return failed('INVALID_TRANSITION', `The item ${itemId} is ${item.status}, and not in the hands of this execution`);
}
