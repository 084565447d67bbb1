/** Undefined over plain HTTP: a tab then cannot see which drafts other tabs use. */
const locks = navigator.locks as LockManager | undefined;

/** Locks a draft against other tabs until the returned function is called or the tab is closed. */
export function hold(key: string): () => void {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void locks?.request(key, () => gone);
  return letGo;
}

/** Calls `act` when no tab works on a draft, possibly at once; never after the signal is aborted. */
export function whenLeft(key: string, signal: AbortSignal, act: () => void): void {
  if (locks === undefined) act();
  else {
    locks.request(key, { signal }, act).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
}

export async function ifLeft<Result>(key: string, act: () => Result): Promise<Result | undefined> {
  if (locks === undefined) return act();
  return locks.request(key, { ifAvailable: true }, (lock) => (lock === null ? undefined : act()));
}
