import { useRef, useState } from 'react';

interface Shown<Row> {
  rows: Row[];
  /** Rows above the first that is shown. */
  fresh: number;
}

/**
 * The rows of a list that somebody reads: those that are shown change in place, and new ones wait until they are asked for.
 * `name` names the list; another one begins from its first.
 */
export function useShown<Row extends { id: string }>(name: string, loaded: Row[], isPlaceholder: boolean) {
  const first = useRef<{ name: string; ids: Set<string> }>(undefined);
  const [, drawAgain] = useState(0);
  if (first.current?.name !== name || first.current.ids.size === 0) {
    first.current = { name, ids: new Set(loaded.map(({ id }) => id)) };
  }
  const { rows, fresh } = split(first.current.ids, loaded);
  // What pages below bring is asked for.
  for (const { id } of rows) first.current.ids.add(id);
  // Rows of the list before, while this one is read, are not its own.
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

/** New are the rows before the first known one. */
export function split<Row extends { id: string }>(known: ReadonlySet<string>, loaded: Row[]): Shown<Row> {
  const begin = loaded.findIndex(({ id }) => known.has(id));
  if (begin < 0) return { rows: loaded, fresh: 0 };
  return { rows: loaded.slice(begin), fresh: begin };
}
