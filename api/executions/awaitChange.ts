import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';

export interface Awaited {
  /** Resolves with the change that was awaited; undefined when the time is over or the caller has gone. */
  change: Promise<Change | undefined>;
  /** Lets go without waiting. */
  release(): void;
}

/** Begins to listen at once, so that nothing between this call and the start is missed. */
export function awaitChange(
  feed: ChangeFeed,
  executionId: string,
  isIt: (change: Change) => boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Awaited {
  let release: () => void = () => undefined;
  const change = new Promise<Change | undefined>((resolve) => {
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const gone = () => end(undefined);
    const unsubscribe = feed.subscribe(executionId, (each) => {
      if (isIt(each)) end(each);
    });
    signal.addEventListener('abort', gone, { once: true });
    function end(result: Change | undefined) {
      clearTimeout(timer);
      signal.removeEventListener('abort', gone);
      unsubscribe();
      resolve(result);
    }
    release = gone;
  });
  return { change, release };
}
