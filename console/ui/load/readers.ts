/** Those who show something that this page holds; `subscribe` is for `useSyncExternalStore`. */
export interface Readers {
  /** Calls `read` at each change until what it returns is called. */
  subscribe: (read: () => void) => () => void;
  /** It has changed. */
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
