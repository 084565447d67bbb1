import { Problem } from '../../domain/problem.ts';
import { AGENT } from '../../prisma/store/agent/resource.ts';
import { readResource } from '../../prisma/store/readResource.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';

interface Place {
  caller: Caller;
  params: { agentId: string };
  services: Services;
}

/** Why the caller has no such task: throws where it is the agent that does not exist, answers NOT_FOUND of the task otherwise. */
export async function taskNotFound({ caller, params, services }: Place): Promise<Problem> {
  await readResource(services.database, caller, AGENT, params.agentId, {});
  return new Problem('NOT_FOUND', 'The task does not exist');
}
