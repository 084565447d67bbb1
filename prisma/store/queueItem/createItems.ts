import type { Json } from '../../../domain/json.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { type Item, itemOf, wholeItemSql } from '../items.ts';
import { startersOfChange } from '../startersOfChange.ts';
import type { Actor } from './history.ts';
import { withStarters } from './itemStarters.ts';
import { QUEUE_ITEM } from './resource.ts';
import { dueAt } from './statusAssignments.ts';

export interface NewItem {
  id: string;
  externalId?: string | undefined;
  data: Json;
  metadata?: Json | undefined;
  priority?: number | undefined;
  scheduledFor?: string | null | undefined;
  maxRetries?: number | null | undefined;
  retryDelayMinutes?: number | null | undefined;
  objectId?: string | null | undefined;
}

/** Decides about an item whose externalId exists: skip the item, update it, or return it unchanged. */
export type Duplicates = 'skip' | 'update' | 'return';

export interface CreatedItem {
  id: string;
  outcome: 'created' | 'existing' | 'updated' | 'skipped';
  /** Status of an existing item before this call. */
  status: ItemStatus;
  /** The requested fields, as this call has written them; absent if the item existed. */
  item?: Item;
}

export interface ItemCreation {
  duplicates: Duplicates;
  by: Actor;
  queue?: TakingQueue;
  /** Fields of QUEUE_ITEM to return for created items, untruncated; without what triggers write. */
  fields?: readonly string[];
}

/** The condition under which the queue accepts items, checked by the statement that writes them. */
export interface TakingQueue {
  where: Prisma.Sql;
  require(): Promise<void>;
}

/** Maximum number of rounds; another one is needed if conflicting items were deleted meanwhile. */
const ROUNDS = 5;

/**
 * One result for each, in order. Only one of concurrent calls creates an externalId. A second try is the first.
 */
export async function createItems(
  database: Database,
  workspaceId: string,
  queueId: string,
  items: readonly NewItem[],
  creation: ItemCreation,
): Promise<CreatedItem[]> {
  const answers = await createOrFind(database, workspaceId, queueId, items, creation);
  const { duplicates } = creation;
  const existing = items.filter((item) => answers.get(item)?.outcome === 'existing');
  const updated =
    duplicates === 'update' && existing.length > 0
      ? await updateItems(database, workspaceId, existing, answers, creation.by)
      : new Set<string>();
  return items.flatMap((item) => {
    const answer = answers.get(item);
    if (answer?.outcome !== 'existing' || duplicates === 'return') return answer ?? [];
    return { ...answer, outcome: updated.has(answer.id) ? 'updated' : 'skipped' } as const;
  });
}

async function createOrFind(
  database: Database,
  workspaceId: string,
  queueId: string,
  items: readonly NewItem[],
  creation: ItemCreation,
): Promise<Map<NewItem, CreatedItem>> {
  const answers = new Map<NewItem, CreatedItem>();
  let open = items;
  const answer = (answerTo: (item: NewItem) => CreatedItem | undefined) => {
    for (const item of open) {
      const answered = answerTo(item);
      if (answered) answers.set(item, answered);
    }
    open = open.filter((item) => !answers.has(item));
  };
  for (let round = 0; open.length > 0 && round < ROUNDS; round += 1) {
    const inserted = await insertItems(database, workspaceId, queueId, open, creation);
    if (inserted.size === 0) await creation.queue?.require();
    answer(({ id }) => {
      const made = inserted.get(id);
      return made && { id, outcome: 'created', status: 'PENDING', ...made };
    });
    if (open.length === 0) break;
    const there = await findItems(database, workspaceId, queueId, open);
    answer(({ id, externalId }) => {
      const found = there.get(id) ?? there.get(nameOf(externalId));
      return found && { ...found, outcome: found.id === id ? 'created' : 'existing' };
    });
  }
  if (open.length > 0) throw new Error(`${open.length} items were created and deleted by others ${ROUNDS} times over`);
  return answers;
}

const COLUMNS = {
  id: 'uuid',
  externalId: 'text',
  data: 'jsonb',
  metadata: 'jsonb',
  priority: 'int',
  scheduledFor: 'timestamptz',
  maxRetries: 'int',
  retryDelayMinutes: 'float8',
  objectId: 'uuid',
} as const;

/** Inserts in the order of externalIds, so that two calls with the same ones cannot deadlock. */
async function insertItems(
  database: Database,
  workspaceId: string,
  queueId: string,
  items: readonly NewItem[],
  { by, queue, fields }: ItemCreation,
): Promise<Map<string, { item?: Item }>> {
  const taking = queue?.where ?? Prisma.sql`true`;
  const shown = fields ? Prisma.sql`, ${wholeItemSql(QUEUE_ITEM, fields)} AS item` : Prisma.empty;
  const rows = await rowsOf<{ id: string; item?: string }>(
    database,
    Prisma.sql`
    INSERT INTO queue_items AS t (id, workspace_id, queue_id, external_id, data, metadata, priority, scheduled_for, due_at,
      max_retries, retry_delay_minutes, object_id, created_by, starters)
    SELECT r.id, ${workspaceId}::uuid, t.id, r."externalId", r.data, coalesce(r.metadata, '{}'), coalesce(r.priority, 0),
      r."scheduledFor", ${dueAt(Prisma.sql`r."scheduledFor"`)}, r."maxRetries", r."retryDelayMinutes", r."objectId",
      ${JSON.stringify(by)}::jsonb, ${startersOfChange(workspaceId, by)}
    FROM queues t, ${recordset(items, COLUMNS)}
    WHERE t.id = ${queueId}::uuid AND t.workspace_id = ${workspaceId}::uuid AND ${taking}
    ORDER BY r."externalId", r.id
    ON CONFLICT DO NOTHING RETURNING t.id ${shown}`,
  );
  const itemIn = (text: string) => itemOf(QUEUE_ITEM, JSON.parse(text) as Item, database);
  return new Map(rows.map(({ id, item }) => [id, item === undefined ? {} : { item: itemIn(item) }]));
}

async function findItems(
  database: Database,
  workspaceId: string,
  queueId: string,
  items: readonly NewItem[],
): Promise<Map<string, Pick<CreatedItem, 'id' | 'status'>>> {
  const externalIds = items.flatMap(({ externalId }) => externalId ?? []);
  const rows = await database.queueItem.findMany({
    where: {
      workspaceId,
      queueId,
      OR: [{ id: { in: items.map(({ id }) => id) } }, { externalId: { in: externalIds } }],
    },
    select: { id: true, externalId: true, status: true },
  });
  return new Map(
    rows.flatMap(({ id, externalId, status }) => {
      const found = { id, status: status as ItemStatus };
      return [[id, found], ...(externalId === null ? [] : [[nameOf(externalId), found] as const])] as const;
    }),
  );
}

/** No id has this form. */
function nameOf(externalId: string | undefined): string {
  return `externalId ${externalId ?? ''}`;
}

async function updateItems(
  database: Database,
  workspaceId: string,
  items: readonly NewItem[],
  answers: ReadonlyMap<NewItem, CreatedItem>,
  by: Actor,
): Promise<Set<string>> {
  // If several name the same item, the last one wins.
  const changes = new Map<string, object>();
  for (const item of items) {
    const id = answers.get(item)?.id ?? '';
    const { data, metadata, priority, scheduledFor } = item;
    const given = Object.entries({ data, metadata, priority, scheduledFor }).filter(([, value]) => value !== undefined);
    const sets = scheduledFor === undefined ? {} : { setsSchedule: true };
    changes.set(id, { ...changes.get(id), id, ...Object.fromEntries(given), ...sets });
  }
  const columns = {
    id: 'uuid',
    data: 'jsonb',
    metadata: 'jsonb',
    priority: 'int',
    scheduledFor: 'timestamptz',
  } as const;
  const schedule = Prisma.sql`CASE WHEN r."setsSchedule" THEN r."scheduledFor" ELSE t.scheduled_for END`;
  // Raw: rows of a request as one parameter; checks the status under a lock.
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    WITH open AS MATERIALIZED (
      SELECT id FROM queue_items WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...changes.keys()]}::uuid[])
        AND status IN ('PENDING', 'RETRYING', 'FAILED')
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE queue_items t SET data = coalesce(r.data, t.data),
      starters = CASE WHEN r.data IS NULL THEN t.starters ELSE ${withStarters(workspaceId, by)} END, metadata = coalesce(r.metadata, t.metadata),
      priority = coalesce(r.priority, t.priority), scheduled_for = ${schedule},
      due_at = CASE WHEN t.status = 'PENDING' THEN ${dueAt(schedule)} ELSE t.due_at END, updated_at = now()
    FROM open, ${recordset([...changes.values()], { ...columns, setsSchedule: 'boolean' })}
    WHERE t.id = open.id AND r.id = t.id RETURNING t.id`,
  );
  return new Set(rows.map(({ id }) => id));
}
