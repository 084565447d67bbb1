import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';
import { listedRows } from '../rows.ts';
import { TASK } from './resource.ts';

/** More agents than that are not named to a caller. */
const MAX_AGENTS = 100;

export interface FoundTask {
  /** Of its row. */
  id: string;
  agent: { id: string; name: string };
  /** The caller sees the agent too: a grant may have been taken back. */
  seesAgent: boolean;
}

/** The tasks with this id that the caller sees: one of each agent, or of `agentId` alone. */
export async function findTasks(
  database: Database,
  viewer: Viewer,
  taskId: string,
  agentId?: string,
): Promise<FoundTask[]> {
  const conditions = [
    Prisma.sql`t.client_id = ${taskId}`,
    ...(agentId === undefined ? [] : [Prisma.sql`t.agent_id = ${agentId}::uuid`]),
  ];
  // Raw: visibility comes from the resource.
  return rowsOf<FoundTask>(
    database,
    Prisma.sql`SELECT t.id, (SELECT json_build_object('id', a.id, 'name', a.name) FROM agents a WHERE a.id = t.agent_id) AS agent,
      ${maySeeAgent(viewer, Prisma.sql`t.agent_id`)} AS "seesAgent"
    FROM tasks t WHERE ${listedRows(TASK, viewer, { conditions })} ORDER BY t.created_at, t.id LIMIT ${MAX_AGENTS}::int`,
  );
}
