import type { Database } from '../../../prisma/client.ts';
import { type ConnectionRow, findSealedConnection } from '../../../prisma/store/connection/findSealedConnection.ts';
import { CONNECTION } from '../../../prisma/store/connection/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import type { Caller } from '../../access/caller.ts';

/** Throws NOT_FOUND, also for one that is managed for others. */
export async function visibleConnection(database: Database, caller: Caller, id: string): Promise<ConnectionRow> {
  await readResource(database, caller, CONNECTION, id);
  const found = await findSealedConnection(database, caller.workspaceId, id);
  if (!found) throw notFound(CONNECTION);
  return found;
}
