import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type DueCondition, inBuckets } from '../dueRows.ts';

export interface HeldSubscription {
  id: string;
  workspaceId: string;
}

export interface Claim {
  holder: string;
  buckets: readonly number[];
  /** Maximum number; workspaces take turns. */
  limit: number;
  /** Maximum per workspace, including those in `held`. */
  mostOfWorkspace: number;
  /** The number that the holder has, by workspace. */
  held: ReadonlyMap<string, number>;
  leaseMs: number;
}

const HAS_DUE = Prisma.sql`EXISTS (
        SELECT FROM event_deliveries d
        WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.next_attempt_at <= now())`;

export const anyDueDelivery = (buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM event_subscriptions s WHERE s.is_active AND ${inBuckets(buckets)} AND ${HAS_DUE})`;

/** Claims unheld subscriptions of these buckets with due deliveries for `leaseMs`; takeDeliveries extends the lease. */
export function claimSubscriptions(database: Database, claim: Claim): Promise<HeldSubscription[]> {
  const { holder, buckets, limit, mostOfWorkspace, leaseMs } = claim;
  const held = JSON.stringify([...claim.held].map(([workspaceId, count]) => ({ workspaceId, count })));
  return database.$queryRaw<HeldSubscription[]>`
    WITH due AS (
      SELECT s.id, s.workspace_id, row_number() OVER (PARTITION BY s.workspace_id ORDER BY s.held_until NULLS FIRST, s.id) AS turn
      FROM event_subscriptions s
      WHERE s.is_active AND (s.held_until IS NULL OR s.held_until <= now())
        AND ${inBuckets(buckets, Prisma.sql`s.workspace_id`)} AND ${HAS_DUE}
    ), free AS (
      SELECT c.id FROM event_subscriptions c JOIN due ON due.id = c.id
        LEFT JOIN jsonb_to_recordset(${held}::jsonb) AS h("workspaceId" uuid, count int) ON h."workspaceId" = due.workspace_id
      WHERE due.turn <= ${mostOfWorkspace}::int - coalesce(h.count, 0)
        AND c.is_active AND (c.held_until IS NULL OR c.held_until <= now())
      ORDER BY due.turn LIMIT ${limit}::int FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE event_subscriptions t SET held_by = ${holder}::uuid,
      held_until = now() + ${leaseMs}::float8 * interval '1 millisecond'
    FROM free WHERE t.id = free.id
    RETURNING t.id, t.workspace_id AS "workspaceId"`;
}

/** Lets others claim it at once. Does nothing if this holder has lost it. */
export async function releaseSubscription(
  database: Database,
  { id, workspaceId }: HeldSubscription,
  holder: string,
): Promise<void> {
  await database.eventSubscription.updateMany({
    where: { id, workspaceId, heldBy: holder },
    data: { heldBy: null, heldUntil: null },
  });
}
