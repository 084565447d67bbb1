import { type RefObject, useRef } from 'react';
import { usePageKeys } from '../keys/pageKeys.ts';
import { WORDS } from '../words/words.ts';

interface RowChoice<Row> {
  rows: readonly Row[];
  chosen: ReadonlyMap<string, Row> | undefined;
  onChoose: (chosen: ReadonlyMap<string, Row>) => void;
  /** The body of the table; its rows have their index in `data-index`. */
  body: RefObject<HTMLElement | null>;
}

/** Selects one row, all that are shown (`a`), or, with Shift, all from the last selected row to this one. */
export function useRowChoice<Row extends { id: string }>({ rows, chosen, onChoose, body }: RowChoice<Row>) {
  const last = useRef<string>(undefined);
  const areAll = chosen !== undefined && rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  const chooseAll = () => onChoose(areAll ? new Map() : new Map(rows.map((row) => [row.id, row])));
  const choose = (row: Row) => {
    last.current = row.id;
    const next = new Map(chosen);
    if (!next.delete(row.id)) next.set(row.id, row);
    onChoose(next);
  };
  const chooseTo = (row: Row) => {
    const from = rows.findIndex(({ id }) => id === last.current);
    const to = rows.indexOf(row);
    if (from < 0) return choose(row);
    last.current = row.id;
    const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    onChoose(new Map([...(chosen ?? []), ...between.map((each): [string, Row] => [each.id, each])]));
  };
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
    return row != null && body.current?.contains(row) === true ? rows[Number(row.dataset.index)] : undefined;
  };
  const keys = [
    { key: 'a', does: WORDS.table.selectShown, act: chooseAll },
    {
      key: 'X',
      does: WORDS.table.selectTo,
      act: () => {
        const row = focused();
        if (row !== undefined) chooseTo(row);
      },
    },
  ];
  usePageKeys(chosen === undefined ? NONE : keys);
  return { areAll, chooseAll, choose, chooseTo };
}

const NONE: never[] = [];
