import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';
import { listedRows } from '../rows.ts';
import { TASK } from './resource.ts';

const MAX_AGENTS = 100;

export interface FoundTask {
  id: string;
  agent: { id: string; name: string };
  /** The caller may also see the agent: a grant may have been revoked. */
  seesAgent: boolean;
}

/** Returns the visible tasks with this id: one per agent, or that of `agentId`. */
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
  return rowsOf<FoundTask>(
    database,
    Prisma.sql`SELECT t.id, (SELECT json_build_object('id', a.id, 'name', a.name) FROM agents a WHERE a.id = t.agent_id) AS agent,
      ${maySeeAgent(viewer, Prisma.sql`t.agent_id`)} AS "seesAgent"
    FROM tasks t WHERE ${listedRows(TASK, viewer, { conditions })} ORDER BY t.created_at, t.id LIMIT ${MAX_AGENTS}::int`,
  );
}
