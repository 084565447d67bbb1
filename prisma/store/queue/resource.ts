import { Prisma } from '../../generated/client.ts';
import { column } from '../column.ts';
import type { Order } from '../order.ts';
import {
  booleanFilter,
  equalFilter,
  intFilter,
  isoTime,
  named,
  person,
  type Resource,
  type ResourceField,
  textFilter,
  uuidFilter,
} from '../resource.ts';
import { ITEM_COUNTS, STATISTICS } from './counts.ts';

/** When the oldest ready item was created, regardless of priority; null if there is none. */
const OLDEST_READY = isoTime(Prisma.sql`(SELECT i.created_at FROM queue_items i
  WHERE i.queue_id = t.id AND i.ready_rank IS NOT NULL ORDER BY i.created_at LIMIT 1)`);

const WORKFLOWS_OF_QUEUE = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'isActive', w.is_active) ORDER BY w.name, w.id), '[]')
  FROM (
    SELECT o.id, o.name, o.is_active FROM queue_consumers c JOIN workflows o ON o.id = c.workflow_id
    WHERE c.queue_id = t.id AND c.workspace_id = t.workspace_id ORDER BY o.name, o.id LIMIT 20
  ) w)`;

/** Higher priority first, then older; items have the same order. */
export const BY_PRIORITY: Order = {
  name: '-priority,createdAt',
  keys: [
    { sql: Prisma.sql`t.priority`, type: 'int', direction: 'desc' },
    { sql: Prisma.sql`t.created_at`, type: 'time', direction: 'asc' },
  ],
};

export const QUEUE: Resource = {
  name: 'queue',
  noun: 'queue',
  hasTag: true,
  table: Prisma.sql`queues`,
  place: Prisma.sql`'/api/queues/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    slug: { sql: Prisma.sql`t.slug` },
    priority: { sql: Prisma.sql`t.priority` },
    isActive: { sql: Prisma.sql`t.is_active` },
    maxRetries: { sql: Prisma.sql`t.max_retries`, singleOnly: true },
    retryDelayMinutes: { sql: Prisma.sql`t.retry_delay_minutes`, singleOnly: true },
    batchSize: { sql: Prisma.sql`t.batch_size`, singleOnly: true },
    maxConcurrent: { sql: Prisma.sql`t.max_concurrent`, singleOnly: true },
    dataSchema: { sql: Prisma.sql`t.data_schema`, large: { orNull: true } },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    deletedAt: { sql: isoTime(Prisma.sql`t.deleted_at`) },
    description: { sql: Prisma.sql`t.description` },
    project: { sql: named(Prisma.sql`projects`, Prisma.sql`t.project_id`) },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
    createdByWorkspaceUser: { sql: person(Prisma.sql`t.created_by_user_id`) },
    statistics: { sql: STATISTICS },
    itemCounts: { sql: ITEM_COUNTS },
    oldestReadyAt: { sql: OLDEST_READY },
    workflows: { sql: WORKFLOWS_OF_QUEUE },
  },
  defaults: {
    list: ['id', 'name', 'priority', 'isActive'],
    single: ['id', 'name', 'priority', 'isActive', 'maxRetries', 'retryDelayMinutes', 'batchSize', 'maxConcurrent'],
  },
  filters: {
    projectId: uuidFilter('of the project', (id) => Prisma.sql`t.project_id = ${id}`),
    slug: equalFilter('of the slug', Prisma.sql`t.slug`),
    isActive: booleanFilter('active or inactive', Prisma.sql`t.is_active`),
    search: textFilter(
      'whose name or description contains the text; case is ignored',
      Prisma.sql`concat_ws(E'\n', t.name, t.description)`,
    ),
    priority: intFilter('of the priority', Prisma.sql`t.priority`),
  },
  shownAs: ({ permissions }): Record<string, ResourceField> =>
    permissions.has('workflows:read') ? {} : { workflows: { sql: Prisma.sql`NULL::json` } },
  flags: { deleted: 'deleted queues too' },
  visible: (flags) => (flags.has('deleted') ? Prisma.sql`true` : Prisma.sql`t.deleted_at IS NULL`),
  order: BY_PRIORITY,
  changes: {
    name: column('name'),
    slug: column('slug'),
    description: column('description'),
    priority: column('priority', 'int'),
    isActive: column('is_active', 'boolean'),
    maxRetries: column('max_retries', 'int'),
    retryDelayMinutes: column('retry_delay_minutes', 'float8'),
    batchSize: column('batch_size', 'int'),
    maxConcurrent: column('max_concurrent', 'int'),
    dataSchema: column('data_schema', 'json'),
  },
  frozen: [{ when: Prisma.sql`t.deleted_at IS NOT NULL`, detail: 'The queue was deleted: restore it first' }],
  softDelete: () => Prisma.sql`deleted_at = now(), is_active = false, updated_at = now()`,
};

/** Includes deleted queues, whose items stay readable. */
export const ANY_QUEUE: Resource = { ...QUEUE, visible: () => Prisma.sql`true` };
