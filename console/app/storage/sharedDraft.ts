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
