import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface ClaimedMail {
  id: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  attempts: number;
}

/** Claims up to `limit` due mails of any workspace until their next try: 10 s later, doubling up to 5 minutes. */
export function claimMails(database: Database, limit: number): Promise<ClaimedMail[]> {
  return database.$queryRaw<ClaimedMail[]>(Prisma.sql`
    UPDATE outgoing_mails t SET attempts = t.attempts + 1,
      next_attempt_at = now() + LEAST(300, 10 * power(2, LEAST(t.attempts, 10))) * interval '1 second'
    WHERE t.id IN (
      SELECT id FROM outgoing_mails WHERE next_attempt_at <= now() AND expires_at > now()
      ORDER BY next_attempt_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    RETURNING t.id, t.sealed, t.key_id AS "keyId", t.attempts`);
}

/** Deletes a mail that was sent or finally refused. Called by the sender that claimed it, so without a workspace. */
export async function deleteMail(database: Database, id: string): Promise<void> {
  await database.outgoingMail.deleteMany({ where: { id } });
}

export interface MailedLink {
  email: string;
  /** Default: the workspace that the person joined first. */
  workspaceId?: string;
  tokenHash: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
  mail: { id: string; sealed: Uint8Array<ArrayBuffer>; keyId: string };
}

/** Does the same work, but writes nothing, for an unknown address. Runs before a workspace is known. */
export async function insertLink(database: Database, link: MailedLink): Promise<void> {
  const { email, workspaceId = null, tokenHash, expiresAt, mail } = link;
  // Raw: the statement itself checks the user, so that its duration does not reveal whether the user exists.
  await database.$executeRaw(Prisma.sql`
    WITH place AS (
      SELECT member.workspace_id, member.user_id
      FROM users person JOIN workspace_users member ON member.user_id = person.id
      WHERE person.email = ${email}
        AND (${workspaceId}::uuid IS NULL OR member.workspace_id = ${workspaceId}::uuid)
      ORDER BY member.created_at, member.workspace_id LIMIT 1
    ), token AS (
      INSERT INTO login_tokens (token_hash, workspace_id, user_id, asks_second_factor, proves_email, expires_at)
      SELECT ${tokenHash}, workspace_id, user_id, true, true, ${expiresAt}::timestamptz FROM place
    )
    INSERT INTO outgoing_mails (id, sealed, key_id, expires_at)
    SELECT ${mail.id}::uuid, ${mail.sealed}, ${mail.keyId}, ${expiresAt}::timestamptz FROM place`);
}
