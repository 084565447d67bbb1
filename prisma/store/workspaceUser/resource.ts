import { ROLES } from '../../../domain/access/permission.ts';
import { Prisma } from '../../generated/client.ts';
import { LAST_CREATED } from '../order.ts';
import { enumFilter, equalFilter, isoTime, type Resource } from '../resource.ts';

const FIELDS = ['id', 'email', 'name', 'role', 'twoFactorEnabled', 'isInvited', 'createdAt'];

/** An invitation shows only what the inviter typed, so it does not reveal whether the address has a user. */
export const WORKSPACE_USER: Resource = {
  name: 'workspaceUser',
  noun: 'person',
  param: 'userId',
  table: Prisma.sql`(SELECT m.user_id AS id, m.workspace_id, m.role, m.created_at, u.email, u.name, false AS is_invited
      FROM workspace_users m JOIN users u ON u.id = m.user_id
    UNION ALL SELECT i.id, i.workspace_id, i.role, i.created_at, i.email, i.name, true FROM invitations i)`,
  place: Prisma.sql`'/api/workspace/users/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    email: { sql: Prisma.sql`t.email` },
    name: { sql: Prisma.sql`t.name` },
    role: { sql: Prisma.sql`t.role` },
    twoFactorEnabled: {
      sql: Prisma.sql`CASE WHEN NOT t.is_invited
        THEN EXISTS (SELECT FROM second_factors f WHERE f.user_id = t.id AND f.confirmed_at IS NOT NULL) END`,
    },
    isInvited: { sql: Prisma.sql`t.is_invited` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {
    role: enumFilter('With this role', Prisma.sql`t.role`, ROLES),
    email: equalFilter('Of this address, in lower case', Prisma.sql`t.email`),
  },
  flags: {},
  order: LAST_CREATED,
};
