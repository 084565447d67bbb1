import type { Json } from '../../../domain/json.ts';
import { authorOf } from '../../../domain/object/author.ts';
import { ITEM_STATUSES } from '../../../domain/queue/itemStatus.ts';
import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import { OBJECT } from '../object/resource.ts';
import { ANY_QUEUE, BY_PRIORITY } from '../queue/resource.ts';
import {
  anyOfFilter,
  equalFilter,
  intFilter,
  isoTime,
  type Refusal,
  type Resource,
  textFilter,
  timeFilter,
  uuidFilter,
  wrapFilter,
} from '../resource.ts';
import { errorHistorySql, historySql, WARNING } from './history.ts';
import { withStarters } from './itemStarters.ts';
import { dueAt, ofQueue } from './statusAssignments.ts';

const QUEUE_DELETED: Refusal = {
  when: Prisma.sql`EXISTS (SELECT FROM queues q WHERE q.id = t.queue_id AND q.deleted_at IS NOT NULL)`,
  detail: 'The queue of the item was deleted: restore it first',
};

const IN_PROCESSING: Refusal = {
  when: Prisma.sql`t.status = 'PROCESSING'`,
  detail: 'The item is PROCESSING: delete it once it has been processed',
};

const DEFAULTS = [
  'id',
  'externalId',
  'status',
  'priority',
  'data',
  'metadata',
  'objectId',
  'retryCount',
  'maxRetries',
  'retryDelayMinutes',
  'lastError',
];

const TIMES = {
  nextRetryAt: { sql: isoTime(Prisma.sql`t.next_retry_at`) },
  processingStartedAt: { sql: isoTime(Prisma.sql`t.processing_started_at`) },
  processingCompletedAt: { sql: isoTime(Prisma.sql`t.processing_completed_at`) },
  lastErrorAt: { sql: isoTime(Prisma.sql`t.last_error_at`) },
  scheduledFor: { sql: isoTime(Prisma.sql`t.scheduled_for`) },
};

export const QUEUE_ITEM: Resource = {
  name: 'queueItem',
  noun: 'queue item',
  table: Prisma.sql`queue_items`,
  place: Prisma.sql`'/api/queues/' || t.queue_id || '/items/' || t.id`,
  param: 'itemId',
  fields: {
    id: { sql: Prisma.sql`t.id` },
    externalId: { sql: Prisma.sql`t.external_id` },
    status: { sql: Prisma.sql`t.status` },
    priority: { sql: Prisma.sql`t.priority` },
    data: { sql: Prisma.sql`t.data`, large: { orNull: true } },
    metadata: { sql: Prisma.sql`t.metadata`, large: { orNull: true } },
    objectId: { sql: Prisma.sql`t.object_id` },
    retryCount: { sql: Prisma.sql`t.retry_count` },
    maxRetries: { sql: ofQueue('max_retries') },
    retryDelayMinutes: { sql: ofQueue('retry_delay_minutes') },
    lastError: { sql: Prisma.sql`t.last_error` },
    // Also adds the other times of the item.
    createdAt: {
      sql: Prisma.sql`json_build_object('createdAt', ${isoTime(Prisma.sql`t.created_at`)}, ${namedTimes()})`,
      present: (value, item) => {
        const { createdAt = null, ...others } = value as Record<string, Json>;
        Object.assign(item, others);
        return createdAt;
      },
    },
    ...TIMES,
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    queue: {
      sql: Prisma.sql`(SELECT json_build_object('id', q.id, 'name', q.name, 'isActive', q.is_active)
        FROM queues q WHERE q.id = t.queue_id)`,
    },
    lastExecution: {
      sql: Prisma.sql`(SELECT json_build_object('id', e.id, 'status', e.status,
          'startedAt', ${isoTime(Prisma.sql`e.started_at`)}, 'stoppedAt', ${isoTime(Prisma.sql`e.stopped_at`)})
        FROM executions e WHERE e.id = t.last_execution_id)`,
    },
    // Null if the entity was deleted; its id stays.
    object: {
      sql: Prisma.sql`(SELECT json_build_object('id', o.id, 'name', o.name, 'state', o.state, 'objectTypeId', o.object_type_id)
        FROM objects o WHERE o.id = t.object_id AND o.deleted_at IS NULL)`,
    },
    errorHistory: { sql: errorHistorySql(Prisma.sql`t.id`), large: {} },
    history: { sql: historySql(Prisma.sql`t.id`), large: {} },
    warning: { sql: WARNING },
    lease: {
      sql: Prisma.sql`CASE WHEN t.lease_expires_at IS NOT NULL THEN json_build_object('number', t.lease_number,
        'worker', t.lease_worker, 'expiresAt', ${isoTime(Prisma.sql`t.lease_expires_at`)}) END`,
    },
  },
  defaults: { list: DEFAULTS, single: DEFAULTS },
  filters: {
    status: anyOfFilter('in the status', Prisma.sql`t.status`, ITEM_STATUSES),
    externalId: equalFilter('of the externalId', Prisma.sql`t.external_id`),
    objectId: uuidFilter('linked to the entity', (id) => Prisma.sql`t.object_id = ${id}`),
    priority: intFilter('of the priority', Prisma.sql`t.priority`),
    // Few items are processing, so the index of the status finds them.
    worker: wrapFilter(
      equalFilter('that this worker holds', Prisma.sql`t.lease_worker`),
      (holds) => Prisma.sql`t.status = 'PROCESSING' AND ${holds}`,
    ),
    scheduledFor: timeFilter('scheduled at or before the time', Prisma.sql`t.scheduled_for`, 'atOrBefore'),
    search: wrapFilter(
      textFilter(
        'whose externalId, or a value in data or metadata, contains the text; case is ignored',
        Prisma.sql`x.text`,
      ),
      (holds) => Prisma.sql`EXISTS (SELECT FROM queue_item_texts x
        WHERE x.item_id = t.id AND x.workspace_id = t.workspace_id AND x.queue_id = t.queue_id AND ${holds})`,
    ),
    createdAfter: timeFilter('created after the time', Prisma.sql`t.created_at`, 'after'),
    createdBefore: timeFilter('created before the time', Prisma.sql`t.created_at`, 'before'),
  },
  flags: {},
  keys: { externalId: Prisma.sql`t.external_id` },
  scope: {
    queueId: { column: Prisma.sql`t.queue_id`, parent: ANY_QUEUE },
    objectId: { column: Prisma.sql`t.object_id`, parent: OBJECT },
  },
  order: BY_PRIORITY,
  changes: {
    data: (value, viewer) =>
      Prisma.sql`data = ${JSON.stringify(value)}::jsonb, starters = ${withStarters(viewer.workspaceId, authorOf(viewer))}`,
    metadata: column('metadata', 'jsonb'),
    priority: column('priority', 'int'),
    maxRetries: column('max_retries', 'int'),
    retryDelayMinutes: column('retry_delay_minutes', 'float8'),
    // A RETRYING item keeps its retry time.
    scheduledFor: (value) => {
      const time = Prisma.sql`${value}::timestamptz(3)`;
      return Prisma.sql`scheduled_for = ${time},
        due_at = CASE WHEN t.status = 'PENDING' THEN ${dueAt(time)} ELSE t.due_at END`;
    },
  },
  frozen: [QUEUE_DELETED],
  undeletable: [QUEUE_DELETED, IN_PROCESSING],
};

function namedTimes(): Prisma.Sql {
  return Prisma.join(Object.entries(TIMES).map(([name, { sql }]) => Prisma.sql`${Prisma.raw(`'${name}'`)}, ${sql}`));
}
