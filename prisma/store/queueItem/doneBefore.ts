import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';

/** Whether an earlier try of the request has made this move of the item. */
export async function hasMove(
  database: Database,
  { workspaceId }: Viewer,
  itemId: string,
  moveId: string,
): Promise<boolean> {
  return (await database.queueItemMove.count({ where: { workspaceId, itemId, id: moveId } })) > 0;
}

/** Whether an earlier try of the request has recorded this error of the item. */
export async function hasError(
  database: Database,
  { workspaceId }: Viewer,
  itemId: string,
  errorId: string,
): Promise<boolean> {
  return (await database.queueItemError.count({ where: { workspaceId, itemId, id: errorId } })) > 0;
}
