import type { Viewer } from '../../../domain/access/viewer.ts';
import { isGrantOnly } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { subjectOf } from '../agent/agentAccess.ts';
import { AGENT } from '../agent/resource.ts';
import { listedRows, rowOf } from '../rows.ts';
import { TASK } from './resource.ts';

export interface NewTask {
  id: string;
  agentId: string;
  customIdentifier: string | null;
  name: string | null;
  description: string | null;
}

/** Creates the task, or finds the visible one with its customIdentifier. Undefined without such an agent. */
export async function createTask(database: Database, viewer: Viewer, task: NewTask): Promise<string | undefined> {
  const found = await findTask(database, viewer, task);
  if (found !== undefined) return found;
  await insertTask(database, viewer, task);
  // Finds its own row, or that of an earlier concurrent request.
  return findTask(database, viewer, task);
}

async function findTask(database: Database, viewer: Viewer, task: NewTask): Promise<string | undefined> {
  const { id, agentId, customIdentifier } = task;
  const which =
    customIdentifier === null ? Prisma.sql`t.client_id = ${id}` : Prisma.sql`t.custom_identifier = ${customIdentifier}`;
  const ofAgent = Prisma.sql`t.agent_id = ${agentId}::uuid`;
  // Raw: if callers with their own scopes created several tasks, returns the oldest.
  const [row] = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`SELECT t.id FROM tasks t WHERE ${listedRows(TASK, viewer, { conditions: [ofAgent, which] })}
      AND ${agentThere(viewer, agentId)}
    ORDER BY t.identifier_scope, t.created_at, t.id LIMIT 1`,
  );
  return row?.id;
}

async function insertTask(database: Database, viewer: Viewer, task: NewTask): Promise<void> {
  const { id, agentId, customIdentifier, name, description } = task;
  const scope = isGrantOnly(viewer) ? `${viewer.kind} ${subjectOf(viewer)?.id}` : '';
  // Raw: inserts only if the caller may see the agent. Two inserts with one customIdentifier make one task.
  await database.$executeRaw`
    INSERT INTO tasks (id, client_id, workspace_id, agent_id, name, description, custom_identifier, identifier_scope,
      created_by_user_id, created_by_api_key_id)
    SELECT ${id}::uuid, ${id}, ${viewer.workspaceId}::uuid, ${agentId}::uuid, ${name}, ${description}, ${customIdentifier}, ${scope},
      ${viewer.kind === 'user' ? viewer.userId : null}::uuid, ${viewer.kind === 'apiKey' ? viewer.apiKeyId : null}::uuid
    WHERE ${agentThere(viewer, agentId)}
    ON CONFLICT DO NOTHING`;
}

function agentThere(viewer: Viewer, agentId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM agents t WHERE ${rowOf(AGENT, viewer, agentId, {})})`;
}
