import { useRef, useState } from 'react';

interface Shown<Row> {
  rows: Row[];
  fresh: number;
}

/** Known rows change in place, and new ones wait for a click. `name` identifies the list. */
export function useShown<Row extends { id: string }>(name: string, loaded: Row[], isPlaceholder: boolean) {
  const first = useRef<{ name: string; ids: Set<string> }>(undefined);
  const [, drawAgain] = useState(0);
  if (first.current?.name !== name || first.current.ids.size === 0) {
    first.current = { name, ids: new Set(loaded.map(({ id }) => id)) };
  }
  const { rows, fresh } = split(first.current.ids, loaded);
  // Rows of further pages were requested, so they are shown.
  for (const { id } of rows) first.current.ids.add(id);
  // While a new list loads, the rows are still those of the previous one.
  if (isPlaceholder) first.current = undefined;
  return {
    shown: rows,
    fresh,
    showFresh: () => {
      first.current = undefined;
      drawAgain((count) => count + 1);
    },
  };
}

export function split<Row extends { id: string }>(known: ReadonlySet<string>, loaded: Row[]): Shown<Row> {
  const begin = loaded.findIndex(({ id }) => known.has(id));
  if (begin < 0) return { rows: loaded, fresh: 0 };
  return { rows: loaded.slice(begin), fresh: begin };
}
