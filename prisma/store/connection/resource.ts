import { Prisma } from '../../generated/client.ts';
import { LAST_UPDATED } from '../order.ts';
import { equalFilter, isoTime, named, type Resource } from '../resource.ts';
import { maySeeConnection, mayUseConnection } from './mayUseConnection.ts';

const ASSIGNMENTS = Prisma.sql`(SELECT coalesce(json_agg(json_build_object('type', a.subject_type, 'id', a.subject_id)
    ORDER BY a.subject_type, a.subject_id), '[]')
  FROM connection_assignments a WHERE a.connection_id = t.id)`;

/** There must never be a field for the credentials. */
export const CONNECTION: Resource = {
  name: 'connection',
  noun: 'connection',
  usedAs: 'connection',
  table: Prisma.sql`connections`,
  place: Prisma.sql`'/api/connections/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    slug: { sql: Prisma.sql`t.slug` },
    isDefault: { sql: Prisma.sql`t.is_default` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    connectionId: { sql: Prisma.sql`t.connection_type` },
    status: { sql: Prisma.sql`t.status` },
    isManaged: { sql: Prisma.sql`t.is_managed` },
    assignments: { sql: ASSIGNMENTS },
    workflowAppId: { sql: Prisma.sql`t.workflow_app_id` },
    // The app's id; the operation replaces it with the catalogue's entry.
    workflowApp: { sql: Prisma.sql`t.workflow_app_id` },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
  },
  defaults: { list: ['id', 'name', 'isDefault'], single: ['id', 'name', 'isDefault'] },
  filters: {
    slug: equalFilter('of the slug', Prisma.sql`t.slug`),
    workflowAppId: {
      description: 'connections of the app',
      expected: 'the id of an app',
      where: (text) => Prisma.sql`t.workflow_app_id = ${text}`,
    },
  },
  flags: { all: 'with `workspace:admin` also managed connections that are assigned to others' },
  visible: (_, viewer) => maySeeConnection(viewer, Prisma.sql`t`),
  listed: (flags, viewer) =>
    flags.has('all') && viewer.permissions.has('workspace:admin')
      ? Prisma.sql`true`
      : mayUseConnection(viewer, Prisma.sql`t`),
  order: LAST_UPDATED,
};
