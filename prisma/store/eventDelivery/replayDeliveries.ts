import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

interface Place {
  workspaceId: string;
  subscriptionId: string;
}

/** Replays [`since`, `until`), oldest first, without those in an attempt. Undefined without the subscription. */
export async function replayDeliveries(
  database: Database,
  { workspaceId, subscriptionId }: Place,
  { since, until, limit }: { since: Date; until: Date; limit: number },
): Promise<{ matched: number; replayed: number } | undefined> {
  const among = Prisma.sql`FROM event_deliveries d WHERE d.subscription_id = ${subscriptionId}::uuid
    AND d.workspace_id = ${workspaceId}::uuid AND d.created_at >= ${since}::timestamptz AND d.created_at < ${until}::timestamptz
    AND (d.taken_until IS NULL OR d.taken_until <= now())`;
  const [row] = await rowsOf<{ matched: number; replayed: number }>(
    database,
    Prisma.sql`WITH chosen AS (
      SELECT d.id ${among} ORDER BY d.ordinal LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    ), again AS (
      UPDATE event_deliveries t SET status = 'pending', attempts = 0, status_code = NULL, error = NULL,
        due_since = now(), next_attempt_at = now(), taken_until = NULL
      FROM chosen WHERE t.id = chosen.id RETURNING 1
    )
    SELECT (SELECT count(*)::int ${among}) AS matched, (SELECT count(*)::int FROM again) AS replayed
    FROM event_subscriptions s WHERE s.id = ${subscriptionId}::uuid AND s.workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}

/** A second try with the same id adds none. */
export async function insertTestDelivery(
  database: Database,
  { workspaceId, subscriptionId }: Place,
  { id, type }: { id: string; type: string },
): Promise<void> {
  const data = { subscriptionId };
  await database.eventDelivery.createMany({
    data: [{ id, workspaceId, subscriptionId, type, subject: `test/${id}`, data }],
    skipDuplicates: true,
  });
}
