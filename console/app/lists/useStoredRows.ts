import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { newReaders } from '../../ui/load/readers.ts';
import { ME } from '../api/me.ts';
import { browserTexts, onOtherTab, type Texts } from '../storage/browserStorage.ts';
import { personId } from '../storage/personId.ts';

/** The storage event reaches only other tabs; these are the readers on this page. */
const readers = newReaders();

function listen(changed: () => void): () => void {
  const stops = [readers.subscribe(changed), onOtherTab(changed)];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Kind<Row> {
  keyOf: (userId: string, workspaceId: string, list: string) => string;
  read: (text: string | null) => Row[];
  /** Throws a DOMException if the browser's storage is full. */
  write: (texts: Texts, key: string, rows: readonly Row[]) => void;
}

/** Returns rows that the person stores in this browser for a list; undefined until the person is known. */
export function useStoredRows<Row>({ keyOf, read, write }: Kind<Row>, list: string) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : keyOf(personId(me), me.workspace.id, list);
  const text = useSyncExternalStore(listen, () => (key === undefined ? null : browserTexts().getItem(key)));
  const rows = useMemo(() => read(text), [read, text]);
  if (key === undefined) return undefined;
  return {
    key,
    rows,
    keep: (changed: readonly Row[]) => {
      write(browserTexts(), key, changed);
      readers.say();
    },
  };
}
