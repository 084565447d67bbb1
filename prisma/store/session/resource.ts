import { Prisma } from '../../generated/client.ts';
import { LAST_CREATED } from '../order.ts';
import { isoTime, type Resource } from '../resource.ts';

/** Whether session `t` was refreshed within `idleMs`; always true without it. */
export function isSessionInUse(idleMs: number | undefined): Prisma.Sql {
  if (idleMs === undefined) return Prisma.sql`true`;
  return Prisma.sql`t.refreshed_at > now() - ${idleMs} * interval '1 millisecond'`;
}

const FIELDS = ['id', 'createdAt', 'refreshedAt', 'network', 'expiresAt', 'isCurrent'];

/** The caller's active logins to the workspace. */
export const SESSION: Resource = {
  name: 'session',
  noun: 'session',
  table: Prisma.sql`sessions`,
  place: Prisma.sql`'/api/users/me/sessions/' || t.id`,
  fields: {
    id: { sql: Prisma.sql`t.id` },
    createdAt: { sql: isoTime(Prisma.sql`t.created_at`) },
    refreshedAt: { sql: isoTime(Prisma.sql`t.refreshed_at`) },
    network: { sql: Prisma.sql`t.network` },
    expiresAt: { sql: isoTime(Prisma.sql`t.expires_at`) },
    isCurrent: { sql: Prisma.sql`false` },
  },
  defaults: { list: FIELDS, single: FIELDS },
  filters: {},
  flags: {},
  visible: (_flags, viewer) =>
    viewer.kind === 'user'
      ? Prisma.sql`t.user_id = ${viewer.userId}::uuid AND t.revoked_at IS NULL AND t.expires_at > now()`
      : Prisma.sql`false`,
  order: LAST_CREATED,
};
