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

/** Throws if the agent does not exist. */
export async function taskNotFound({ caller, params, services }: Place): Promise<Problem> {
  await readResource(services.database, caller, AGENT, params.agentId, {});
  return new Problem('NOT_FOUND', 'The task does not exist');
}
