import { Problem } from '../../../domain/problem.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { findTasks } from '../../../prisma/store/task/findTasks.ts';
import { TASK } from '../../../prisma/store/task/resource.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

interface TaskRequest {
  caller: Caller;
  params: { taskId: string };
  query: { agentId?: string };
  services: Services;
}

/** Throws NOT_FOUND, or CONFLICT if several agents have the task and `agentId` is missing. */
export function ofTask<R extends object, A>(operation: (request: R) => Promise<A>) {
  return async (request: R & TaskRequest): Promise<A> => {
    const { caller, params, query, services } = request;
    const found = await findTasks(services.database, caller, params.taskId, query.agentId);
    const [task, ...others] = found;
    if (!task) throw notFound(TASK);
    if (others.length > 0) throw severalAgents(found);
    return operation({ ...request, params: { ...params, taskId: task.id } });
  };
}

function severalAgents(found: Awaited<ReturnType<typeof findTasks>>): Problem {
  const agents = found.flatMap(({ agent, seesAgent }) => (seesAgent ? [agent] : []));
  const errors = agents.map(({ id, name }) => ({ path: 'agentId', message: `${id} (${name}) has such a task` }));
  return new Problem('CONFLICT', 'Several agents have a task with this id: choose one with agentId', {
    ...(errors.length === 0 ? {} : { errors }),
    members: { agents },
  });
}
