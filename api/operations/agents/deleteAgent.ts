import { openRunsOfAgent, tellOfGoneRuns } from '../../../prisma/store/agent/openRunsOfAgent.ts';
import { AGENT } from '../../../prisma/store/agent/resource.ts';
import { deleteResource } from '../../../prisma/store/deleteResource.ts';
import { LAST_REVISION } from '../../../prisma/store/task/deleteTask.ts';
import { changeOf } from '../../../prisma/store/turn/notifyTurn.ts';
import type { Operation } from '../../operation.ts';

/** Callers that wait for its running turns are notified. */
export const deleteAgent: Operation<'deleteAgent'> = async ({ caller, params, services, expected }) => {
  const { database, feed, turns } = services;
  const { workspaceId } = caller;
  const runIds = await openRunsOfAgent(database, workspaceId, params.agentId);
  await deleteResource(database, caller, AGENT, params.agentId, { expected });
  for (const runId of runIds) feed.publish(changeOf(runId, { revision: LAST_REVISION, status: 'STOPPED' }));
  if (runIds.length > 0) await tellOfGoneRuns(database, runIds);
  await Promise.all(runIds.map((runId) => turns.stop({ workspaceId, runId })));
  return { id: params.agentId, deleted: true };
};
