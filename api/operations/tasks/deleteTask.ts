import type { Item } from '../../../prisma/store/items.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { deleteTask as store } from '../../../prisma/store/task/deleteTask.ts';
import { TASK } from '../../../prisma/store/task/resource.ts';
import { changeOf } from '../../../prisma/store/turn/notifyTurn.ts';
import type { Operation } from '../../operation.ts';

/** A running turn is stopped: the task that it would write to is gone. Whoever waits for it, or for one behind it, hears so. */
export const deleteTask: Operation<'deleteTask'> = async ({ caller, params, services }) => {
  const deleted = await store(services.database, caller, params.taskId);
  if (!deleted) throw notFound(TASK);
  for (const { runId, ...written } of deleted.openRuns) services.feed.publish(changeOf(runId, written));
  await Promise.all(
    deleted.openRuns.map(({ runId }) => services.turns.stop({ workspaceId: caller.workspaceId, runId })),
  );
  return hideActiveStream(deleted.task);
};

/** The read of one: with `activeStreamId` where there is a stream to resume. */
export function withActiveStream(items: Item[]): Item[] {
  return items.map((item) => (item.activeStreamId === null ? hideActiveStream(item) : item));
}

/** Answers of writes do not contain it. */
export function hideActiveStreams(items: Item[]): Item[] {
  return items.map(hideActiveStream);
}

export function hideActiveStream({ activeStreamId: _, ...item }: Item): Item {
  return item;
}
