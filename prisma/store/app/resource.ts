import { Prisma } from '../../generated/client.ts';
import type { Order } from '../order.ts';
import { equalFilter, isoTime, person, type Resource } from '../resource.ts';

const BY_NAME: Order = { name: 'name', keys: [{ sql: Prisma.sql`t.name`, type: 'text', direction: 'asc' }] };

const manifest = (member: string) =>
  Prisma.sql`(SELECT v.manifest #> ${`{${member}}`}::text[] FROM app_versions v
    WHERE v.workspace_id = t.workspace_id AND v.digest = t.digest)`;

const FIELDS: Resource['fields'] = {
  id: { sql: Prisma.sql`t.id` },
  name: { sql: Prisma.sql`t.name` },
  slug: { sql: Prisma.sql`t.slug` },
  digest: { sql: Prisma.sql`t.digest` },
  description: { sql: manifest('description') },
  runs: { sql: manifest('custom,runs') },
  actions: { sql: manifest('actions'), large: { orNull: true } },
  connectionTypes: { sql: manifest('connectionTypes'), large: { orNull: true } },
  managedByCode: { sql: Prisma.sql`t.managed_by_code` },
  owner: { sql: Prisma.sql`t.applied_owner` },
  createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
  updatedAt: { sql: isoTime(Prisma.sql`t.updated_at`) },
  createdBy: { sql: person(Prisma.sql`t.created_by_user_id`) },
  // The id by which the list finds the users (api/operations/apps/usersOfApps.ts).
  usedBy: { sql: Prisma.sql`t.id::text`, alsoAdds: ['usedByTotal'] },
};

/** Only callers that may delete an app see what uses it; a refused deletion names the same. */
const WITHOUT_USERS = new Set(Object.keys(FIELDS).filter((name) => name !== 'usedBy'));

export const APP: Resource = {
  name: 'workspaceApp',
  noun: 'app',
  param: 'app',
  hasTag: true,
  usedAs: 'app',
  table: Prisma.sql`apps`,
  place: Prisma.sql`'/api/apps/' || t.id`,
  fields: FIELDS,
  defaults: { list: ['id', 'name', 'slug', 'digest'], single: ['id', 'name', 'slug', 'digest'] },
  filters: { slug: equalFilter('of the slug', Prisma.sql`t.slug`) },
  flags: {},
  shownTo: ({ permissions }) => (permissions.has('apps:write') ? undefined : WITHOUT_USERS),
  order: BY_NAME,
};
