import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';

export interface Awaited {
  /** As Following.begun; at once where the execution's `notice` has all that is awaited. */
  begun(): Promise<void>;
  /** Resolves with the change that was awaited; undefined when the time is over or the caller has gone. */
  change: Promise<Change | undefined>;
  /** Lets go without waiting. */
  release(): void;
}

/**
 * Begins to listen at once, so that nothing between this call and the start is missed. `by` the notice of an execution
 * that is accepted for this caller (`isAwaited`), or as a follower of another one, which has to wait until it has `begun`.
 */
export function awaitChange(
  feed: ChangeFeed,
  executionId: string,
  isIt: (change: Change) => boolean,
  timeoutMs: number,
  signal: AbortSignal,
  by: 'notice' | 'following',
): Awaited {
  let release: () => void = () => undefined;
  let begun = async () => {};
  const change = new Promise<Change | undefined>((resolve) => {
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const gone = () => end(undefined);
    const listener = (each: Change) => {
      if (isIt(each)) end(each);
    };
    const unsubscribe = by === 'notice' ? feed.subscribe(executionId, listener) : follow(listener);
    signal.addEventListener('abort', gone, { once: true });
    function end(result: Change | undefined) {
      clearTimeout(timer);
      signal.removeEventListener('abort', gone);
      unsubscribe();
      resolve(result);
    }
    release = gone;
  });
  function follow(listener: (each: Change) => void): () => void {
    const following = feed.follow(executionId, listener);
    begun = following.begun;
    return following.stop;
  }
  return { begun, change, release };
}
