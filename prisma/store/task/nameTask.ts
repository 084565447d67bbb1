import type { UIMessage } from 'ai';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

const SHOWN = 4;

export interface UnnamedTask {
  taskId: string;
  selectedModelId: string;
  aiConnectionId: string | null;
  taskNamingInstructions: string;
  trace: string | null;
  messages: Pick<UIMessage, 'role' | 'parts'>[];
}

/** Reads what is needed to name a turn's task. Undefined if it has a name, or its agent wants none. */
export async function readUnnamed(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<UnnamedTask | undefined> {
  const [row] = await rowsOf<UnnamedTask>(
    database,
    Prisma.sql`
    SELECT t.id AS "taskId", r.trace, a.definition ->> 'selectedModelId' AS "selectedModelId",
      a.definition ->> 'aiConnectionId' AS "aiConnectionId", a.definition ->> 'taskNamingInstructions' AS "taskNamingInstructions",
      COALESCE((SELECT jsonb_agg(jsonb_build_object('role', m.role, 'parts', m.parts) ORDER BY m.position)
        FROM (SELECT * FROM task_messages f WHERE f.task_id = t.id ORDER BY f.position LIMIT ${SHOWN}::int) m), '[]'::jsonb) AS messages
    FROM task_runs r JOIN tasks t ON t.id = r.task_id JOIN agents a ON a.id = t.agent_id
    WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid AND t.name IS NULL AND t.naming_usage IS NULL
      AND a.definition ->> 'taskNamingInstructions' IS NOT NULL`,
  );
  return row;
}

export async function nameOf(
  database: Database,
  workspaceId: string,
  taskId: string,
  { name, usage }: { name: string | undefined; usage: Usage },
): Promise<void> {
  // Raw: keeps a name that was set meanwhile.
  await database.$executeRaw`
    UPDATE tasks SET name = COALESCE(name, ${name ?? null}), naming_usage = ${JSON.stringify(usage)}::jsonb, updated_at = now()
    WHERE id = ${taskId}::uuid AND workspace_id = ${workspaceId}::uuid AND naming_usage IS NULL`;
}
