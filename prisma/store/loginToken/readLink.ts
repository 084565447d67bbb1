import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { IS_OPEN } from '../invitation/acceptInvitation.ts';

export interface Link {
  kind: 'singleSignOn' | 'login' | 'invitation';
  email: string;
  /** For an invitation, the name that the inviter typed. */
  name: string;
  role: Role;
  workspace: { id: string; name: string };
  provesEmail: boolean;
  /** For a login link: the person has a password. */
  hasPassword: boolean;
}

/** Reads a token without using it; undefined if unknown, used or expired. Runs before a workspace is known. */
export async function readLink(database: Database, tokenHash: Uint8Array<ArrayBuffer>): Promise<Link | undefined> {
  const rows = await database.$queryRaw<Link[]>(Prisma.sql`
    SELECT CASE WHEN t.asks_second_factor THEN 'login' ELSE 'singleSignOn' END AS kind, users.email, users.name, member.role,
      json_build_object('id', w.id, 'name', w.name) AS workspace, t.proves_email AS "provesEmail",
      users.password_hash IS NOT NULL AS "hasPassword"
    FROM login_tokens t JOIN workspace_users member USING (workspace_id, user_id)
      JOIN users ON users.id = t.user_id JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.token_hash = ${tokenHash} AND t.expires_at > now()
    UNION ALL
    SELECT 'invitation', t.email, t.name, t.role, json_build_object('id', w.id, 'name', w.name), t.proves_email, false
    FROM invitations t JOIN workspaces w ON w.id = t.workspace_id
    WHERE t.token_hash = ${tokenHash} AND ${IS_OPEN}`);
  return rows[0];
}
