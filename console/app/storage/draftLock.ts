/** Pages that came by plain http get none: there a tab cannot know which drafts others work on. */
const locks = navigator.locks as LockManager | undefined;

/** Says to the other tabs of this browser that a draft is worked on here, until the function that it gives is called or the tab is gone. */
export function hold(key: string): () => void {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void locks?.request(key, () => gone);
  return letGo;
}

/** Calls once no tab works on a draft, at once where none does; never once the signal is aborted. */
export function whenLeft(key: string, signal: AbortSignal, act: () => void): void {
  if (locks === undefined) act();
  else {
    locks.request(key, { signal }, act).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** What `act` gives while no other tab works on a draft; undefined where one does. */
export async function ifLeft<Result>(key: string, act: () => Result): Promise<Result | undefined> {
  if (locks === undefined) return act();
  return locks.request(key, { ifAvailable: true }, (lock) => (lock === null ? undefined : act()));
}
