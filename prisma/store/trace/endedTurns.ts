import type { EndedTurn } from '../../../domain/trace/turnSpans.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { TraceCursor } from './cursors.ts';
import { millis } from './endedExecutions.ts';

/** Like readEndedExecutions, with model calls and tool calls. */
export async function readEndedTurns(
  database: Database,
  after: TraceCursor,
  until: Date,
  most: number,
): Promise<(Omit<EndedTurn, 'endedAt'> & TraceCursor)[]> {
  return database.$queryRaw<(Omit<EndedTurn, 'endedAt'> & TraceCursor)[]>`
    SELECT r.id, r.workspace_id AS "workspaceId", r.trace, a.id AS "agentId", a.name AS "agentName", t.client_id AS "taskId",
      r.status, r.code, ${millis(Prisma.sql`r.created_at`)} AS "createdAt", r.finished_at AS "endedAt", r.steps,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', c.tool_call_id, 'name', c.name, 'kind', c.kind, 'status', c.status,
          'createdAt', ${millis(Prisma.sql`c.created_at`)}, 'finishedAt', ${millis(Prisma.sql`c.finished_at`)})
          ORDER BY c.step, c.position)
        FROM run_tool_calls c WHERE c.run_id = r.id), '[]') AS calls
    FROM task_runs r JOIN tasks t ON t.id = r.task_id JOIN agents a ON a.id = t.agent_id
    WHERE r.finished_at >= ${after.endedAt} AND r.finished_at <= ${until}
      AND (r.finished_at, r.id) > (${after.endedAt}, ${after.id}::uuid)
    ORDER BY r.finished_at, r.id LIMIT ${most}`;
}
