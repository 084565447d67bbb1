import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { idOf, ME } from '../data/me.ts';
import { readViews, type SavedView, viewsKey, writeViews } from '../data/savedViews.ts';

/** Who shows views on this page; other tabs say by themselves that the storage has changed. */
const listeners = new Set<() => void>();

function listen(changed: () => void): () => void {
  listeners.add(changed);
  globalThis.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    globalThis.removeEventListener('storage', changed);
  };
}

/** The person's views of a list, kept in this browser; undefined until it is known who they are. */
export function useSavedViews(list: string) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : viewsKey(idOf(me), me.workspace.id, list);
  const text = useSyncExternalStore(listen, () => (key === undefined ? null : localStorage.getItem(key)));
  const views = useMemo(() => readViews(text), [text]);
  if (key === undefined) return undefined;
  return {
    views,
    /** Throws a DOMException where there is no room. */
    keep: (changed: readonly SavedView[]) => {
      writeViews(localStorage, key, changed);
      for (const tell of listeners) tell();
    },
  };
}
