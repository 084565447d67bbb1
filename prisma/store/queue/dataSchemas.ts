import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export interface StoredDataSchema {
  queueId: string;
  /** Changes with each write of the queue. */
  revision: number;
  schema: JsonObject | null;
}

/** Leaves out deleted queues. */
export async function dataSchemas(
  database: Database,
  workspaceId: string,
  queueIds: readonly string[],
): Promise<StoredDataSchema[]> {
  if (queueIds.length === 0) return [];
  const rows = await database.queue.findMany({
    where: { workspaceId, id: { in: [...queueIds] }, deletedAt: null },
    select: { id: true, revision: true, dataSchema: true },
  });
  return rows.map(({ id, revision, dataSchema }) => ({
    queueId: id,
    revision,
    schema: dataSchema as JsonObject | null,
  }));
}
