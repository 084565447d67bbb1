import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { ME } from '../api/me.ts';
import type { Texts } from '../storage/drafts.ts';
import { personId } from '../storage/personId.ts';

/** Who shows something of it on this page; other tabs say by themselves that the storage has changed. */
const listeners = new Set<() => void>();

function listen(changed: () => void): () => void {
  listeners.add(changed);
  globalThis.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    globalThis.removeEventListener('storage', changed);
  };
}

interface Kind<Row> {
  keyOf: (userId: string, workspaceId: string, list: string) => string;
  read: (text: string | null) => Row[];
  /** Throws a DOMException where there is no room. */
  write: (texts: Texts, key: string, rows: readonly Row[]) => void;
}

/** What the person keeps of a list in this browser; undefined until it is known who they are. */
export function useKept<Row>({ keyOf, read, write }: Kind<Row>, list: string) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : keyOf(personId(me), me.workspace.id, list);
  const text = useSyncExternalStore(listen, () => (key === undefined ? null : localStorage.getItem(key)));
  const rows = useMemo(() => read(text), [read, text]);
  if (key === undefined) return undefined;
  return {
    key,
    rows,
    /** Throws a DOMException where there is no room. */
    keep: (changed: readonly Row[]) => {
      write(localStorage, key, changed);
      for (const tell of listeners) tell();
    },
  };
}
