import type { Viewer } from '../../../domain/access/viewer.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { Database } from '../../client.ts';
import type { Actor } from './history.ts';

export async function hasMove(
  database: Database,
  { workspaceId }: Viewer,
  itemId: string,
  moveId: string,
): Promise<boolean> {
  return (await database.queueItemMove.count({ where: { workspaceId, itemId, id: moveId } })) > 0;
}

/** Whether the caller has ended the item so under this lease number, and nobody has taken it since. */
export async function hasEndedUnder(
  database: Database,
  { workspaceId }: Viewer,
  itemId: string,
  { number, by }: { number: number; by: Actor },
  statuses: readonly ItemStatus[],
): Promise<boolean> {
  const status = { in: [...statuses] };
  const where = { workspaceId, id: itemId, leaseNumber: number, status, movedBy: { equals: by } };
  return (await database.queueItem.count({ where })) > 0;
}

export async function hasError(
  database: Database,
  { workspaceId }: Viewer,
  itemId: string,
  errorId: string,
): Promise<boolean> {
  return (await database.queueItemError.count({ where: { workspaceId, itemId, id: errorId } })) > 0;
}
