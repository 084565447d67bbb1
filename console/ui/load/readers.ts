/** The components that show a value held in memory; `subscribe` is for `useSyncExternalStore`. */
export interface Readers {
  /** Calls `read` at each change until the returned function is called. */
  subscribe: (read: () => void) => () => void;
  say: () => void;
}

export function newReaders(): Readers {
  const all = new Set<() => void>();
  return {
    subscribe: (read) => {
      all.add(read);
      return () => void all.delete(read);
    },
    say: () => {
      for (const read of all) read();
    },
  };
}
