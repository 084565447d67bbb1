import { useSyncExternalStore } from 'react';

const SECOND_MS = 1_000;

/** One clock for the whole page, a second at a time; it stands still while nobody looks. */
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

/** Milliseconds since the epoch, of this second: a clock that nobody has read for a time is wound by who reads it again. */
export function timeOfClock(): number {
  if (timer === undefined && Date.now() - now >= SECOND_MS) now = Date.now();
  return now;
}

const MINUTE_MS = 60_000;

/** The begin of this minute. Whoever needs no seconds is not drawn every second. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(timeOfClock() / MINUTE_MS) * MINUTE_MS);
}

/** The same, drawn again each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, timeOfClock);
}
