import { Prisma } from '../../generated/client.ts';

/**
 * `WITH owners`: the owners of the workspace, locked in one order. Of two statements that take an owner away at once, the second
 * waits and then sees what the first has left.
 */
export function ownersLocked(workspaceId: string): Prisma.Sql {
  return Prisma.sql`owners AS MATERIALIZED (
    SELECT user_id FROM workspace_users
    WHERE workspace_id = ${workspaceId}::uuid AND role = 'owner' ORDER BY user_id FOR UPDATE
  )`;
}

/** Whether somebody else is an owner. All are counted, so that all are locked. */
export function anotherOwner(userId: string): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM owners WHERE user_id <> ${userId}::uuid) > 0`;
}
