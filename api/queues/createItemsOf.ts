import { orderedId } from '../../domain/orderedId.ts';
import { pathTo } from '../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../domain/problem.ts';
import { requireItemData } from '../../engine/queues/itemData.ts';
import { BULK_ROWS, bulkRows } from '../../prisma/store/bulkRows.ts';
import type { Item } from '../../prisma/store/items.ts';
import { missingObjects } from '../../prisma/store/object/missingObjects.ts';
import { requireWritableQueue, writableQueue } from '../../prisma/store/queue/requireWritable.ts';
import {
  type CreatedItem,
  createItems,
  type Duplicates,
  type NewItem,
} from '../../prisma/store/queueItem/createItems.ts';
import { QUEUE_ITEM } from '../../prisma/store/queueItem/resource.ts';
import { checkListQuery, type ReadQuery } from '../../prisma/store/resourceQuery.ts';
import { idsInOrder, rowsAmong } from '../../prisma/store/rowsAmong.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';
import { actorOf } from './itemPlace.ts';

export type GivenItem = Omit<NewItem, 'id'>;

export interface Creation {
  caller: Caller;
  queueId: string;
  /** Id of the request, from which item ids are derived, so that a retry creates the same ones. */
  resourceId: string;
  query: ReadQuery;
  items: readonly GivenItem[];
  duplicates: Duplicates;
  pathOf: (index: number) => string;
  services: Services;
}

export interface Created {
  /** The items of the answer, without skipped ones. */
  items: Item[];
  outcomes: CreatedItem['outcome'][];
}

const MAX_PROBLEMS = 100;
/** Maximum growth of a value from body to database: 1e308 has 309 digits there. */
const MAX_GROWTH = 64;

/** Creates items, a thousand per statement. Throws before anything is written. */
export async function createItemsOf(creation: Creation): Promise<Created> {
  const { caller, queueId, resourceId, query, items, duplicates, pathOf, services } = creation;
  const { database, config } = services;
  const { fields } = checkListQuery(QUEUE_ITEM, caller, query);
  const requireQueue = () => requireWritableQueue(database, caller, queueId);
  // Checked first if something else could be refused; otherwise the insert itself checks the queue.
  if (items.length === 0 || items.some(({ objectId }) => objectId)) await requireQueue();
  await requireObjects(creation);
  await requireItemData(
    services,
    caller.workspaceId,
    queueId,
    items.map(({ data }, index) => ({ path: pathOf(index), data })),
  );
  const rows = items.map((item, index) => ({ ...item, id: orderedId(resourceId, index) }));
  const by = actorOf(caller);
  const queue = { where: writableQueue(caller, queueId), require: requireQueue };
  // Reads the items again if an expansion shows what triggers write, or if large values may have to be omitted.
  const isWritten =
    !query.expansion && Buffer.byteLength(JSON.stringify(items)) * MAX_GROWTH <= config.MAX_ANSWER_BYTES;
  const options = { duplicates, by, queue, ...(isWritten && { fields }) };
  const write = (some: readonly NewItem[]) => createItems(database, caller.workspaceId, queueId, some, options);
  const answerBytes = Math.floor(config.MAX_ANSWER_BYTES / Math.max(1, Math.ceil(items.length / BULK_ROWS)));
  const read = (answers: readonly CreatedItem[]) => {
    const among = idsInOrder(answers.map(({ id }) => id));
    return rowsAmong(database, caller, QUEUE_ITEM, among, { query, scope: { queueId }, answerBytes });
  };
  const created: Created = { items: [], outcomes: [] };
  const seen = new Set<string>();
  for await (const answers of bulkRows(rows, write)) {
    created.outcomes.push(...answers.map(({ outcome }) => outcome));
    const shown = answers.filter(({ outcome }) => outcome !== 'skipped');
    const made = new Set(shown.filter(({ outcome }) => outcome === 'created').map(({ id }) => id));
    const written = shown.map(({ item }) => item).filter((item) => item !== undefined);
    for (const item of written.length === shown.length ? written : await read(shown)) {
      const id = String(item.id);
      created.items.push({ ...item, isDuplicate: !made.has(id) || seen.has(id) });
      seen.add(id);
    }
  }
  return created;
}

async function requireObjects({ caller, items, pathOf, services }: Creation): Promise<void> {
  const ids = items.flatMap(({ objectId }) => objectId ?? []);
  const missing = await missingObjects(services.database, caller.workspaceId, ids);
  if (missing.size === 0) return;
  const errors: ProblemDetail[] = items.flatMap(({ objectId }, index) =>
    objectId && missing.has(objectId.toLowerCase())
      ? [{ path: pathTo(pathOf(index), 'objectId'), message: 'there is no entity with this id' }]
      : [],
  );
  throw new Problem('VALIDATION_FAILED', 'An objectId names no entity of the workspace', {
    errors: errors.slice(0, MAX_PROBLEMS),
  });
}
