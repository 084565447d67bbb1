import { isUuid } from '../../../domain/isUuid.ts';
import { Prisma } from '../../generated/client.ts';
import type { Filter } from '../resource.ts';

const CHOSEN = /^(?:([^/]+)\/)?([^/]+)$/;

/** Matches a client id, of all agents or of the one before it. `where` gets a condition on task `k` for an EXISTS. */
export function taskFilter(description: string, where: (isChosen: Prisma.Sql) => Prisma.Sql): Filter {
  return {
    description: `${description}; \`<agentId>/<taskId>\` where tasks of several agents have the id`,
    expected: 'the id of a task, or the id of its agent, / and the id of the task',
    where: (text) => {
      const [, agentId, taskId] = CHOSEN.exec(text) ?? [];
      if (taskId === undefined || (agentId !== undefined && !isUuid(agentId))) return undefined;
      const ofAgent = agentId === undefined ? Prisma.empty : Prisma.sql`AND k.agent_id = ${agentId}::uuid`;
      return where(Prisma.sql`k.workspace_id = t.workspace_id AND k.client_id = ${taskId} ${ofAgent}`);
    },
  };
}
