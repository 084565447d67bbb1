import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { Claim } from '../user/claimAddress.ts';

export const IS_OPEN = Prisma.sql`(t.expires_at IS NULL OR t.expires_at > now())`;

/** A user whose address is not proved gets only the invitations of the workspace that named them. */
export function isFor(userId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM users person WHERE person.id = ${userId}::uuid AND person.email = t.email
      AND (person.invited_by_workspace_id IS NULL OR person.invited_by_workspace_id = t.workspace_id)
  )`;
}

export interface Accepted {
  id: string;
  role: Role;
  workspace: { id: string; name: string };
}

/** Undefined if the user has no open invitation. */
export async function acceptInvitation(
  database: Database,
  userId: string,
  which: { id: string } | { workspaceId: string } | { tokenHash: Uint8Array<ArrayBuffer> },
): Promise<Accepted | undefined> {
  const named = namedBy(which);
  // Raw: only one of two concurrent calls gets it, and invitation and membership change together.
  const rows = await database.$queryRaw<Accepted[]>(Prisma.sql`
    WITH taken AS (
      DELETE FROM invitations t WHERE ${named} AND ${IS_OPEN} AND ${isFor(userId)} RETURNING t.id, t.workspace_id, t.role
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT workspace_id, ${userId}::uuid, role FROM taken
      ON CONFLICT DO NOTHING
    )
    SELECT taken.id, taken.role, json_build_object('id', workspaces.id, 'name', workspaces.name) AS workspace
    FROM taken JOIN workspaces ON workspaces.id = taken.workspace_id`);
  return rows[0];
}

function namedBy(which: Parameters<typeof acceptInvitation>[2]): Prisma.Sql {
  if ('id' in which) return Prisma.sql`t.id = ${which.id}::uuid`;
  if ('workspaceId' in which) return Prisma.sql`t.workspace_id = ${which.workspaceId}::uuid`;
  return Prisma.sql`t.token_hash = ${which.tokenHash}`;
}

export async function declineInvitation(database: Database, userId: string, id: string): Promise<boolean> {
  return (
    (await database.$executeRaw(Prisma.sql`
      DELETE FROM invitations t WHERE t.id = ${id}::uuid AND ${isFor(userId)}`)) === 1
  );
}

export interface TakenInvitation {
  invitationId: string;
  workspaceId: string;
  userId: string;
  role: Role;
  claim: Claim;
}

/**
 * For a person without an account: uses up the token, sets `passwordHash` (null: none). With an account (`known`),
 * changes nothing. Undefined if the token is unknown, used or expired. Runs before a workspace is known.
 */
export async function takeInvitation(
  database: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
  passwordHash: string | null,
): Promise<TakenInvitation | undefined> {
  // Raw: only one of two concurrent calls gets it; user, membership and invitation change together.
  const rows = await database.$queryRaw<TakenInvitation[]>(Prisma.sql`
    WITH t AS (
      SELECT * FROM invitations t WHERE t.token_hash = ${tokenHash} AND ${IS_OPEN} FOR UPDATE
    ), claimed AS (
      SELECT c.person_id, c.claim FROM t, claim_address(t.email, t.id, t.name, ${passwordHash},
        CASE WHEN t.proves_email THEN NULL ELSE t.workspace_id END, t.workspace_id) c
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT t.workspace_id, claimed.person_id, t.role FROM t, claimed WHERE claimed.claim <> 'known'
      ON CONFLICT DO NOTHING
      RETURNING workspace_id
    ), used AS (
      DELETE FROM invitations USING t, joined WHERE invitations.id = t.id
    )
    SELECT t.id AS "invitationId", t.workspace_id AS "workspaceId", claimed.person_id AS "userId", t.role, claimed.claim
    FROM t, claimed`);
  return rows[0];
}
