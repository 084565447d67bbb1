import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';

export interface Awaited {
  /** As Following.begun; resolves at once if the execution's `notice` suffices. */
  begun(): Promise<void>;
  /** Resolves with the awaited change; undefined after the timeout or if the caller has disconnected. */
  change: Promise<Change | undefined>;
  release(): void;
}

/** Listens immediately: for the notice of an execution accepted here (`isAwaited`), or as a follower, once `begun`. */
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
