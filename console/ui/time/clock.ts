import { useSyncExternalStore } from 'react';

const SECOND_MS = 1_000;

/** One clock for the whole page, in steps of a second. It pauses while the tab is hidden. */
let now = Date.now();
const readers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.visibilityState === 'hidden') return;
  now = Date.now();
  for (const read of readers) read();
}

function subscribe(read: () => void): () => void {
  readers.add(read);
  timer ??= setInterval(tick, SECOND_MS);
  return () => {
    readers.delete(read);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

document.addEventListener('visibilitychange', tick);

/** Milliseconds since the epoch, at most a second old. Updates a clock that had no readers. */
export function timeOfClock(): number {
  if (timer === undefined && Date.now() - now >= SECOND_MS) now = Date.now();
  return now;
}

const MINUTE_MS = 60_000;

/** The start of this minute. Components that need no seconds do not render each second. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(timeOfClock() / MINUTE_MS) * MINUTE_MS);
}

/** The current time; renders each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, timeOfClock);
}
