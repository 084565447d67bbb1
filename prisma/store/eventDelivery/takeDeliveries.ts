import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { HeldSubscription } from '../eventSubscription/claimSubscriptions.ts';
import { isoTime } from '../resource.ts';

export interface TakenDelivery {
  id: string;
  type: string;
  /** ISO 8601. */
  at: string;
  data: object;
  /** Includes this attempt. */
  attempts: number;
  dueSince: Date;
  url: string;
  secret: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Takes the earliest of each subject. Undefined if the holder has lost the subscription, or it is inactive. */
export async function takeDeliveries(
  database: Database,
  { id, workspaceId }: HeldSubscription,
  holder: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<TakenDelivery[] | undefined> {
  const until = Prisma.sql`now() + ${leaseMs}::float8 * interval '1 millisecond'`;
  const rows = await rowsOf<TakenDelivery & { id: string | null }>(
    database,
    Prisma.sql`WITH held AS (
      UPDATE event_subscriptions s SET held_until = ${until}
      WHERE s.id = ${id}::uuid AND s.workspace_id = ${workspaceId}::uuid AND s.held_by = ${holder}::uuid
        AND s.held_until > now() AND s.is_active
      RETURNING s.id, s.url, s.secret, s.key_id
    ), due AS (
      SELECT d.id FROM event_deliveries d
      WHERE d.subscription_id = ${id}::uuid AND d.status = 'pending' AND d.next_attempt_at <= now()
        AND EXISTS (SELECT FROM held)
        AND NOT EXISTS (
          SELECT FROM event_deliveries e WHERE e.subscription_id = d.subscription_id AND e.subject = d.subject
            AND e.status = 'pending' AND e.ordinal < d.ordinal)
      ORDER BY d.next_attempt_at, d.ordinal LIMIT ${limit}::int
    ), taken AS (
      UPDATE event_deliveries t SET attempts = t.attempts + 1, next_attempt_at = ${until}, taken_until = ${until}
      FROM due WHERE t.id = due.id AND t.status = 'pending'
      RETURNING t.*
    )
    SELECT t.id, t.type, ${isoTime(Prisma.sql`t.created_at`)} AS at, t.data, t.attempts, t.due_since AS "dueSince",
      h.url, h.secret, h.key_id AS "keyId"
    FROM held h LEFT JOIN taken t ON true ORDER BY t.ordinal`,
  );
  if (rows.length === 0) return undefined;
  return rows.filter((row) => row.id !== null);
}
