import type { Item } from '../../../prisma/store/items.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { deleteTask as store } from '../../../prisma/store/task/deleteTask.ts';
import { TASK } from '../../../prisma/store/task/resource.ts';
import { changeOf } from '../../../prisma/store/turn/notifyTurn.ts';
import type { Operation } from '../../operation.ts';

/** Stops a running turn and notifies callers that wait for it or for a later one. */
export const deleteTask: Operation<'deleteTask'> = async ({ caller, params, services }) => {
  const deleted = await store(services.database, caller, params.taskId);
  if (!deleted) throw notFound(TASK);
  for (const { runId, ...written } of deleted.openRuns) services.feed.publish(changeOf(runId, written));
  await Promise.all(
    deleted.openRuns.map(({ runId }) => services.turns.stop({ workspaceId: caller.workspaceId, runId })),
  );
  return hideActiveStream(deleted.task);
};

/** For reads of one task; `activeStreamId` only if there is a stream to resume. */
export function withActiveStream(items: Item[]): Item[] {
  return items.map((item) => (item.activeStreamId === null ? hideActiveStream(item) : item));
}

export function hideActiveStreams(items: Item[]): Item[] {
  return items.map(hideActiveStream);
}

export function hideActiveStream({ activeStreamId: _, ...item }: Item): Item {
  return item;
}
