import { notFound } from '../../../prisma/store/readResource.ts';
import { deleteTask as store } from '../../../prisma/store/task/deleteTask.ts';
import { TASK } from '../../../prisma/store/task/resource.ts';
import type { Operation } from '../../operation.ts';
import { lessStream } from './shownTasks.ts';

/** A turn that is under way is stopped: the task that it would write to is gone. */
export const deleteTask: Operation<'deleteTask'> = async ({ caller, params, services }) => {
  const deleted = await store(services.database, caller, params.taskId);
  if (!deleted) throw notFound(TASK);
  await Promise.all(deleted.openRuns.map((runId) => services.turns.stop({ workspaceId: caller.workspaceId, runId })));
  return lessStream(deleted.task);
};
