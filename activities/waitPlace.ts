import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityServices } from './services.ts';

/** The pause before the next look of a wait without a place: it doubles each time, and a random part of it is used. */
const LOOK_MS = { first: 500, longest: 15_000 };

/**
 * Waits in one of the worker's places, which workspaces share. Without a free one it looks once, and Temporal calls it
 * again later: meanwhile it takes no slot of the worker, and a retry adds no event to the history.
 */
export async function inWaitPlace<T>(
  { waitPlaces }: ActivityServices,
  workspaceId: string,
  { look, wait }: { look: () => Promise<T | undefined>; wait: () => Promise<T> },
): Promise<T> {
  if (await waitPlaces.enter(workspaceId)) {
    try {
      return await wait();
    } finally {
      waitPlaces.leave(workspaceId);
    }
  }
  const found = await look();
  if (found !== undefined) return found;
  const longest = Math.min(LOOK_MS.first * 2 ** Math.min(activityInfo().attempt, 10), LOOK_MS.longest);
  throw ApplicationFailure.create({
    message: 'Waits for the end, and looks again',
    type: 'NO_PLACE',
    nextRetryDelay: longest * (0.5 + Math.random() / 2),
  });
}
