import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface ClaimedMail {
  id: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  /** With this one. */
  attempts: number;
}

/**
 * Up to `limit` mails that are due, of every workspace; nobody else gets them until their next try is due: 10 s later, then twice as
 * long each time, up to 5 minutes.
 */
export function claimMails(database: Database, limit: number): Promise<ClaimedMail[]> {
  // Raw: a claim by the database's clock, of rows that no other process has its hands on.
  return database.$queryRaw<ClaimedMail[]>(Prisma.sql`
    UPDATE outgoing_mails t SET attempts = t.attempts + 1,
      next_attempt_at = now() + LEAST(300, 10 * power(2, LEAST(t.attempts, 10))) * interval '1 second'
    WHERE t.id IN (
      SELECT id FROM outgoing_mails WHERE next_attempt_at <= now() AND expires_at > now()
      ORDER BY next_attempt_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    RETURNING t.id, t.sealed, t.key_id AS "keyId", t.attempts`);
}
