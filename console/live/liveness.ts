import { useSyncExternalStore } from 'react';

/** Whether the workspace's stream stands; undefined before the first try. */
let live: boolean | undefined;
const readers = new Set<() => void>();

/** `refusal`: the API gives this caller no stream. */
export function setLive(stands: boolean, refusal?: unknown): void {
  live = refusal === undefined ? stands : undefined;
  for (const read of readers) read();
}

export function useLive(): boolean | undefined {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => live,
  );
}
