import type { Credential } from '../../../domain/access/credential.ts';
import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { listedRows } from '../rows.ts';
import { TASK } from '../task/resource.ts';

/** The execution or turn that a tool call has started. */
export type StartedCall =
  | { kind: 'execution'; agentId: null; taskId: null }
  | { kind: 'turn'; agentId: string; taskId: string };

/** Undefined unless the caller may read executions or has started this one; of turns, unless it sees the task. */
export async function readCall(
  database: Database,
  viewer: Viewer,
  { type, id: by }: Credential,
  id: string,
): Promise<StartedCall | undefined> {
  const { workspaceId, permissions } = viewer;
  const sees = listedRows(TASK, viewer, { conditions: [] });
  const mayAsk = permissions.has('agents:read') || permissions.has('agents:use');
  // Raw: an id is that of an execution or of a turn.
  const [row] = await rowsOf<StartedCall>(
    database,
    Prisma.sql`
    SELECT 'execution' AS kind, NULL AS "agentId", NULL AS "taskId" FROM executions e
    WHERE e.id = ${id}::uuid AND e.workspace_id = ${workspaceId}::uuid
      AND (${permissions.has('executions:read')} OR (e.started_by_type = ${type} AND e.started_by_id = ${by}::uuid))
    UNION ALL SELECT 'turn', t.agent_id::text, t.client_id FROM task_runs r JOIN tasks t ON t.id = r.task_id
    WHERE r.id = ${id}::uuid AND ${mayAsk} AND ${sees}`,
  );
  return row;
}
