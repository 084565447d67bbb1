import { v7 } from 'uuid';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../../prisma/client.ts';
import type { Home } from '../workspace/home.ts';

export interface QueueSettings {
  batchSize?: number;
  maxConcurrent?: number;
  maxRetries?: number;
  retryDelayMinutes?: number;
  isActive?: boolean;
}

export async function makeQueue(
  database: Database,
  home: Pick<Home, 'workspaceId' | 'projectId'>,
  settings: QueueSettings = {},
): Promise<string> {
  const id = v7();
  const { workspaceId, projectId } = home;
  await database.queue.create({ data: { id, workspaceId, projectId, name: 'q', ...settings } });
  return id;
}

export interface NewItem {
  data?: JsonObject;
  priority?: number;
  /** Delay from now in milliseconds. */
  inMs?: number;
}

/** Inserts items of the queue in one statement; returns their ids in the order of the list and of creation. */
export async function addItems(
  database: Database,
  workspaceId: string,
  queueId: string,
  items: readonly NewItem[],
): Promise<string[]> {
  const ids = items.map(() => v7());
  const rows = items.map(({ data = {}, priority = 0, inMs }, index) => ({
    id: ids[index],
    data,
    priority,
    inMs: inMs ?? null,
  }));
  await database.$executeRaw`
    INSERT INTO queue_items (id, workspace_id, queue_id, data, metadata, priority, scheduled_for, due_at)
    SELECT x.id, ${workspaceId}::uuid, ${queueId}::uuid, x.data, '{}', x.priority, t.at, t.at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, data jsonb, priority int, "inMs" float8),
      LATERAL (SELECT now() + make_interval(secs => x."inMs" / 1000) AS at) t`;
  return ids;
}

export interface ItemRow {
  id: string;
  status: string;
  retryCount: number;
  lastError: string | null;
  executionId: string | null;
  lastExecutionId: string | null;
}

export function itemsOf(database: Database, queueId: string): Promise<ItemRow[]> {
  const select = {
    id: true,
    status: true,
    retryCount: true,
    lastError: true,
    executionId: true,
    lastExecutionId: true,
  };
  return database.queueItem.findMany({ where: { queueId }, orderBy: { id: 'asc' }, select });
}

export async function countsOf(database: Database, queueId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await itemsOf(database, queueId)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
