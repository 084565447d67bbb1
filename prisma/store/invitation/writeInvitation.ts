import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface InvitationWay {
  /** Null: the person will log in by single sign-on. */
  tokenHash: Uint8Array<ArrayBuffer> | null;
  /** The mail with the token; null: the token is returned to the inviter. */
  mail: { id: string; sealed: Uint8Array<ArrayBuffer>; keyId: string } | null;
  expiresAt: Date;
}

export interface NewInvitation extends InvitationWay {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Null: invited by an API key. */
  invitedByUserId: string | null;
  /** An earlier try with the same Idempotency-Key got no response. */
  isRepeated: boolean;
}

/** `id` names the invitation, and later the member if the person was new. */
export type InvitationInsertion =
  | { outcome: 'invited'; id: string }
  | { outcome: 'isMember' }
  | { outcome: 'isInvited' };

/** Touches the same rows whether or not a user has the address. A person whom the workspace has named keeps the id. */
export async function insertInvitation(
  database: Database,
  workspaceId: string,
  invitation: NewInvitation,
): Promise<InvitationInsertion> {
  const { id, email, name, role, invitedByUserId, isRepeated, tokenHash, mail, expiresAt } = invitation;
  const [row] = await database.$queryRaw<{ id: string | null; isMember: boolean }[]>(Prisma.sql`
    WITH member AS (
      SELECT FROM workspace_users place JOIN users ON users.id = place.user_id
      WHERE place.workspace_id = ${workspaceId}::uuid AND users.email = ${email}
    ), own AS (
      SELECT id FROM users WHERE email = ${email} AND invited_by_workspace_id = ${workspaceId}::uuid
    ), invited AS (
      INSERT INTO invitations
        (id, workspace_id, email, name, role, invited_by_user_id, token_hash, proves_email, expires_at)
      SELECT COALESCE((SELECT id FROM own), ${id}::uuid), ${workspaceId}::uuid, ${email}, ${name}, ${role},
        ${invitedByUserId}::uuid, ${tokenHash}, ${mail !== null}, ${expiresAt}::timestamptz
      WHERE NOT EXISTS (SELECT FROM member)
      ON CONFLICT (workspace_id, email) DO UPDATE SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at
        WHERE ${isRepeated} AND invitations.id = EXCLUDED.id
      RETURNING id
    ), ${mailOf(mail, expiresAt)}
    SELECT (SELECT id FROM invited) AS id, EXISTS (SELECT FROM member) AS "isMember"`);
  if (row?.id) return { outcome: 'invited', id: row.id };
  return { outcome: row?.isMember ? 'isMember' : 'isInvited' };
}

/** Replaces an invitation's token. False if there is none with this id, or only its person can accept it. */
export async function renewInvitation(
  database: Database,
  workspaceId: string,
  id: string,
  { tokenHash, mail, expiresAt }: InvitationWay,
): Promise<boolean> {
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH invited AS (
      UPDATE invitations SET token_hash = ${tokenHash}, proves_email = ${mail !== null},
        expires_at = ${expiresAt}::timestamptz
      WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid AND expires_at IS NOT NULL
      RETURNING id
    ), ${mailOf(mail, expiresAt)}
    SELECT id FROM invited`);
  return rows.length === 1;
}

export async function setInvitedRole(
  database: Database,
  workspaceId: string,
  id: string,
  role: Role,
): Promise<boolean> {
  return (await database.invitation.updateMany({ where: { id, workspaceId }, data: { role } })).count === 1;
}

export async function withdrawInvitation(database: Database, workspaceId: string, id: string): Promise<boolean> {
  return (await database.invitation.deleteMany({ where: { id, workspaceId } })).count === 1;
}

function mailOf(mail: InvitationWay['mail'], expiresAt: Date): Prisma.Sql {
  return Prisma.sql`mail AS (
      INSERT INTO outgoing_mails (id, sealed, key_id, expires_at)
      SELECT ${mail?.id ?? null}::uuid, ${mail?.sealed ?? null}::bytea, ${mail?.keyId ?? null}, ${expiresAt}::timestamptz
      FROM invited WHERE ${mail !== null}
    )`;
}
