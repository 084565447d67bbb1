import type { UIMessage } from 'ai';
import type { Viewer } from '../../../domain/access/viewer.ts';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { TurnError } from '../../../domain/agent/turnEnd.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';

interface TaskPlace {
  agentId: string;
  taskId: string;
}

export interface FollowableTask {
  id: string;
  runId: string | null;
  /** The latest turn, if it has ended and its chunks still exist. */
  ended: { runId: string; messageId: string } | null;
}

/** Undefined if the caller has no such task, or may no longer use its agent. */
export async function readRunning(
  database: Database,
  viewer: Viewer,
  { agentId, taskId }: TaskPlace,
): Promise<FollowableTask | undefined> {
  const owner = ownerOf(viewer);
  const [row] = await database.$queryRaw<FollowableTask[]>`
    SELECT t.id, (SELECT r.id FROM task_runs r WHERE r.task_id = t.id AND r.status = 'RUNNING') AS "runId", (
      SELECT CASE WHEN r.finished_at IS NOT NULL AND r.forgotten_at IS NULL
        THEN jsonb_build_object('runId', r.id, 'messageId', r.message_id) END
      FROM task_runs r WHERE r.task_id = t.id AND r.status <> 'QUEUED' ORDER BY r.number DESC LIMIT 1) AS ended
    FROM tasks t WHERE t.client_id = ${taskId} AND t.agent_id = ${agentId}::uuid AND t.workspace_id = ${viewer.workspaceId}::uuid
      AND (NOT ${owner.granted} OR t.created_by_user_id = ${owner.userId}::uuid OR t.created_by_api_key_id = ${owner.apiKeyId}::uuid)
      AND ${maySeeAgent(viewer, Prisma.sql`t.agent_id`)}`;
  return row;
}

export interface TurnAnswer {
  taskId: string;
  status: RunStatus;
  code: string | null;
  error: TurnError | null;
  usage: Usage | null;
  message: UIMessage | null;
}

export async function readAnswer(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<TurnAnswer | undefined> {
  // Raw: reads status and message from one snapshot.
  const [row] = await database.$queryRaw<TurnAnswer[]>`
    SELECT t.client_id AS "taskId", r.status, r.code, r.error, r.usage, (
      SELECT jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
        || jsonb_build_object('parts', m.parts)
      FROM task_messages m WHERE m.task_id = r.task_id AND m.id = r.message_id) AS message
    FROM task_runs r JOIN tasks t ON t.id = r.task_id WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`;
  return row;
}

/** A caller without agents:read sees only its own tasks. */
function ownerOf(viewer: Viewer) {
  return {
    granted: !viewer.permissions.has('agents:read'),
    userId: viewer.kind === 'user' ? viewer.userId : null,
    apiKeyId: viewer.kind === 'apiKey' ? viewer.apiKeyId : null,
  };
}
