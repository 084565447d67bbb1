import { Prisma } from '../../generated/client.ts';
import { LAST_UPDATED } from '../order.ts';
import { isoTime, named, type Resource } from '../resource.ts';

/** Never a field for the credentials. */
export const CONNECTION: Resource = {
  name: 'connection',
  noun: 'connection',
  usedAs: 'connection',
  table: Prisma.sql`connections`,
  place: Prisma.sql`'/api/connections/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    name: { sql: Prisma.sql`t.name` },
    isDefault: { sql: Prisma.sql`t.is_default` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
    connectionId: { sql: Prisma.sql`t.connection_type` },
    workflowAppId: { sql: Prisma.sql`t.workflow_app_id` },
    // The app's id; the operation puts the catalogue's entry in its place.
    workflowApp: { sql: Prisma.sql`t.workflow_app_id` },
    workspace: { sql: named(Prisma.sql`workspaces`, Prisma.sql`t.workspace_id`) },
  },
  defaults: { list: ['id', 'name', 'isDefault'], single: ['id', 'name', 'isDefault'] },
  filters: {
    workflowAppId: {
      description: 'connections of the app',
      expected: 'the id of an app',
      where: (text) => Prisma.sql`t.workflow_app_id = ${text}`,
    },
  },
  flags: { all: 'everything in the workspace; currently the same rows' },
  order: LAST_UPDATED,
};
