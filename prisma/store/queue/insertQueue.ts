import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewQueue {
  id: string;
  projectId: string;
  name: string;
  /** Absent: made of the name. */
  slug?: string | undefined;
  description: string | null;
  priority?: number | undefined;
  isActive?: boolean | undefined;
  maxRetries?: number | undefined;
  retryDelayMinutes?: number | undefined;
  batchSize?: number | undefined;
  maxConcurrent?: number | undefined;
  /** Null: made by an API key. */
  createdByUserId: string | null;
}

/**
 * False: the workspace has no such project. A second try with the same id changes nothing; absent fields get their
 * defaults.
 */
export async function insertQueue(database: Database, workspaceId: string, queue: NewQueue): Promise<boolean> {
  const given = JSON.stringify(queue);
  // Raw: whether the project is the workspace's is decided as it is written.
  const [row] = await database.$queryRaw<{ there: boolean }[]>(Prisma.sql`
    WITH place AS (
      SELECT id FROM projects WHERE id = ${queue.projectId}::uuid AND workspace_id = ${workspaceId}::uuid
    ), inserted AS (
      INSERT INTO queues (id, workspace_id, project_id, name, slug, description, priority, is_active, max_retries,
        retry_delay_minutes, batch_size, max_concurrent, created_by_user_id)
      SELECT r.id, ${workspaceId}::uuid, place.id, r.name, r.slug, r.description, coalesce(r.priority, 0),
        coalesce(r."isActive", true), coalesce(r."maxRetries", 3), coalesce(r."retryDelayMinutes", 5),
        coalesce(r."batchSize", 10), coalesce(r."maxConcurrent", 1), r."createdByUserId"
      FROM place, jsonb_to_record(${given}::jsonb) AS r(id uuid, name text, slug text, description text, priority int,
        "isActive" boolean, "maxRetries" int, "retryDelayMinutes" float8, "batchSize" int, "maxConcurrent" int,
        "createdByUserId" uuid)
      ON CONFLICT (id) DO NOTHING
    )
    SELECT EXISTS (SELECT FROM place) AS there`);
  return row?.there === true;
}
