import type { EventFilter } from '../../../domain/event/eventFilter.ts';
import type { Database } from '../../client.ts';

export interface NewSubscription {
  id: string;
  url: string;
  events: readonly string[];
  filterBy: EventFilter;
  secret: { sealed: Uint8Array; keyId: string };
  /** Null: made by an API key. */
  createdByUserId: string | null;
}

/** False if there are `most` already. A second try, after an unanswered first, gets the new secret. */
export async function insertSubscription(
  database: Database,
  workspaceId: string,
  most: number,
  { id, url, events, filterBy, secret, createdByUserId }: NewSubscription,
): Promise<boolean> {
  // Raw: the count is checked under a lock, with the write.
  const written = await database.$executeRaw`
    INSERT INTO event_subscriptions AS t (id, workspace_id, url, events, filter_by, secret, key_id, created_by_user_id)
    SELECT ${id}::uuid, ${workspaceId}::uuid, ${url}, ${[...events]}::text[], ${JSON.stringify(filterBy)}::jsonb,
      ${secret.sealed}, ${secret.keyId}, ${createdByUserId}::uuid
    WHERE event_subscription_room(${workspaceId}::uuid, ${most}::int)
      OR EXISTS (SELECT FROM event_subscriptions s WHERE s.id = ${id}::uuid AND s.workspace_id = ${workspaceId}::uuid)
    ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, key_id = excluded.key_id
    WHERE t.workspace_id = excluded.workspace_id`;
  return written === 1;
}

export async function readSubscribed(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<{ events: string[]; filterBy: EventFilter } | undefined> {
  const found = await database.eventSubscription.findFirst({
    where: { id, workspaceId },
    select: { events: true, filterBy: true },
  });
  return found ? { events: found.events, filterBy: found.filterBy as EventFilter } : undefined;
}
