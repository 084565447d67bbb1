import { useCallback, useEffect, useState } from 'react';
import { dropOldDrafts } from './drafts.ts';

/** How something is kept in this browser under a key. */
interface Keeping<Value> {
  /** Undefined: nobody's key is known yet. */
  read: (key: string | undefined) => Value;
  keep: (key: string, value: Value) => void;
}

/**
 * What a person has not sent yet. It stays in this browser; all tabs show the same, so that none writes over what another one
 * has. `keeping` stays the same object.
 */
export function useSharedDraft<Value>(key: string | undefined, keeping: Keeping<Value>) {
  // In memory, too: a browser whose storage is full keeps nothing, and one can write all the same.
  const [draft, setDraft] = useState(() => ({ key, value: keeping.read(key) }));
  if (draft.key !== key) setDraft({ key, value: keeping.read(key) });
  useEffect(() => dropOldDrafts(localStorage, Date.now()), []);
  useEffect(() => {
    const onStorage = ({ key: changed }: StorageEvent) => {
      if (changed === key || changed === null) setDraft({ key, value: keeping.read(key) });
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [key, keeping]);
  const write = useCallback(
    (value: Value) => {
      setDraft({ key, value });
      if (key !== undefined) keeping.keep(key, value);
    },
    [key, keeping],
  );
  return [draft.value, write] as const;
}
