import type { Database } from '../../client.ts';
import type { TakenDelivery } from './takeDeliveries.ts';

/** `statusCode`: the receiver's, or null; `error`: a code and a sentence. */
export interface AttemptEnd {
  statusCode: number | null;
  error: string | null;
  /** `gone` disables the subscription; a number is the pause in ms before the next attempt. */
  outcome: 'delivered' | 'failed' | 'gone' | number;
}

/** Does nothing if another attempt has begun. Later events of the subject wait until the next attempt. */
export async function settleDelivery(
  database: Database,
  { id, workspaceId, subscriptionId }: { id: string; workspaceId: string; subscriptionId: string },
  { attempts, dueSince }: Pick<TakenDelivery, 'attempts' | 'dueSince'>,
  { statusCode, error, outcome }: AttemptEnd,
): Promise<void> {
  const status = typeof outcome === 'number' ? 'pending' : outcome === 'delivered' ? 'delivered' : 'failed';
  const pauseMs = typeof outcome === 'number' ? outcome : null;
  const rows = await database.$queryRaw<object[]>`
    WITH settled AS (
      UPDATE event_deliveries t SET status = ${status}, status_code = ${statusCode}::int, error = ${error},
        taken_until = NULL, next_attempt_at = now() + ${pauseMs}::float8 * interval '1 millisecond'
      WHERE t.id = ${id}::uuid AND t.workspace_id = ${workspaceId}::uuid AND t.status = 'pending'
        AND t.attempts = ${attempts}::int
      RETURNING t.subscription_id, t.subject, t.ordinal, t.next_attempt_at
    ), waiting AS (
      UPDATE event_deliveries l SET next_attempt_at = s.next_attempt_at FROM settled s
      WHERE s.next_attempt_at IS NOT NULL AND l.subscription_id = s.subscription_id AND l.subject = s.subject
        AND l.status = 'pending' AND l.ordinal > s.ordinal AND l.next_attempt_at < s.next_attempt_at
    ), gone AS (
      UPDATE event_subscriptions p SET is_active = false, disabled_reason = 'GONE', updated_at = now()
      WHERE ${outcome === 'gone'}::boolean AND p.id = ${subscriptionId}::uuid AND p.workspace_id = ${workspaceId}::uuid
        AND EXISTS (SELECT FROM settled)
    )
    SELECT s.ordinal FROM settled s`;
  if (rows.length === 0) return;
  const lateSeconds = attempts === 1 ? (Date.now() - dueSince.getTime()) / 1_000 : undefined;
  database.observer.eventAttempted(typeof outcome === 'number' ? 'again' : outcome, lateSeconds);
}
