import { useCallback, useEffect, useState } from 'react';
import { browserTexts, onOtherTab } from './browserStorage.ts';
import { dropOldDrafts } from './drafts.ts';

interface Keeping<Value> {
  /** The key is undefined until the person is known. */
  read: (key: string | undefined) => Value;
  keep: (key: string, value: Value) => void;
}

/** All tabs show the same value, so none overwrites another's. `keeping` must be the same object at each render. */
export function useSharedDraft<Value>(key: string | undefined, keeping: Keeping<Value>) {
  // Also in memory: people can write even if the browser's storage is full.
  const [draft, setDraft] = useState(() => ({ key, value: keeping.read(key) }));
  if (draft.key !== key) setDraft({ key, value: keeping.read(key) });
  useEffect(() => dropOldDrafts(browserTexts(), Date.now()), []);
  useEffect(
    () =>
      onOtherTab(({ key: changed }) => {
        if (changed === key || changed === null) setDraft({ key, value: keeping.read(key) });
      }),
    [key, keeping],
  );
  const write = useCallback(
    (value: Value) => {
      setDraft({ key, value });
      if (key !== undefined) keeping.keep(key, value);
    },
    [key, keeping],
  );
  return [draft.value, write] as const;
}

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
