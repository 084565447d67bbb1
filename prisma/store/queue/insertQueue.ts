import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';

export interface NewQueue {
  id: string;
  projectId: string;
  name: string;
  /** Absent: derived from the name. */
  slug?: string | undefined;
  description: string | null;
  priority?: number | undefined;
  isActive?: boolean | undefined;
  maxRetries?: number | undefined;
  retryDelayMinutes?: number | undefined;
  batchSize?: number | undefined;
  maxConcurrent?: number | undefined;
  dataSchema?: JsonObject | null | undefined;
  /** Null: created by an API key. */
  createdByUserId: string | null;
}

/** Returns false if the workspace has no such project. A second try with the same id changes nothing. */
export async function insertQueue(database: Database, workspaceId: string, queue: NewQueue): Promise<boolean> {
  return (await insertQueues(database, workspaceId, [queue])) === 1;
}

/** Returns how many of the queues have a project of the workspace. Absent fields get their defaults. */
export async function insertQueues(
  database: Database,
  workspaceId: string,
  queues: readonly NewQueue[],
): Promise<number> {
  if (queues.length === 0) return 0;
  const rows = queues.map(({ dataSchema, ...queue }) => ({
    ...queue,
    dataSchema: dataSchema ? JSON.stringify(dataSchema) : null,
  }));
  const [row] = await rowsOf<{ placed: number }>(
    database,
    Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT r.* FROM ${recordset(rows, COLUMNS)}
      JOIN projects p ON p.id = r."projectId" AND p.workspace_id = ${workspaceId}::uuid
    ), inserted AS (
      INSERT INTO queues (id, workspace_id, project_id, name, slug, description, priority, is_active, max_retries,
        retry_delay_minutes, batch_size, max_concurrent, data_schema, created_by_user_id)
      SELECT id, ${workspaceId}::uuid, "projectId", name, slug, description, coalesce(priority, 0),
        coalesce("isActive", true), coalesce("maxRetries", 3), coalesce("retryDelayMinutes", 5),
        coalesce("batchSize", 10), coalesce("maxConcurrent", 1), "dataSchema"::json, "createdByUserId"
      FROM given
      ON CONFLICT (id) DO NOTHING
    )
    SELECT count(*)::int AS placed FROM given`,
  );
  return row?.placed ?? 0;
}

const COLUMNS = {
  id: 'uuid',
  projectId: 'uuid',
  name: 'text',
  slug: 'text',
  description: 'text',
  priority: 'int',
  isActive: 'boolean',
  maxRetries: 'int',
  retryDelayMinutes: 'float8',
  batchSize: 'int',
  maxConcurrent: 'int',
  // A text keeps the order of its members.
  dataSchema: 'text',
  createdByUserId: 'uuid',
} as const;
