import './dataTable.css';
import { Checkbox, Table } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { usePageKeys } from '../keys/pageKeys.ts';
import { NARROW } from '../narrow.ts';
import { WORDS } from '../words/words.ts';

/**
 * `lead` and `title` begin a card's first line, and `corner` ends it. A `line` has its own line. A `fact` follows the
 * header of its column, and is omitted if empty. `none` is hidden.
 */
type CardPlace = 'lead' | 'title' | 'corner' | 'line' | 'fact' | 'none';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** The place on narrow screens. Default: `title` for the first column, `fact` for the others. */
  card?: CardPlace;
  className?: string;
  title?: (row: Row) => string | undefined;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  chosen?: ReadonlyMap<string, Row> | undefined;
  onChoose?: (chosen: ReadonlyMap<string, Row>) => void;
  nameOf?: (row: Row) => string;
}

/** Above this number of rows only visible ones are rendered. */
const LONG = 100;
const ROW_PX = 46;
const CARD_PX = 110;

/** In the order of the API; rows are cards on narrow screens. Keys: j and k move, Enter opens, x selects. */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  chosen,
  onChoose = () => {},
  nameOf = ({ id }) => id,
}: DataTableProps<Row>) {
  const [first] = columns;
  const where = (column: Column<Row>) => ({
    'data-card': column.card ?? (column === first ? 'title' : 'fact'),
    ...(column.className === undefined ? {} : { className: column.className }),
  });
  const { body, drawn, above, below, isLong, measure } = useRowsInSight(rows);
  const { areAll, chooseAll, choose, chooseTo } = useRowChoice({ rows, chosen, onChoose, body });
  return (
    <Table.ScrollContainer minWidth={0}>
      {/* As cards, browsers do not treat the elements as a table, so they have roles. */}
      <Table
        className="rows"
        role="table"
        aria-label={label}
        highlightOnHover
        data-walked
        {...(isLong ? { 'aria-rowcount': rows.length + 1 } : {})}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {chosen !== undefined && (
              <Table.Th role="columnheader" className="choose" data-label={WORDS.table.selectShown}>
                <Checkbox
                  aria-label={WORDS.table.selectShown}
                  checked={areAll}
                  indeterminate={!areAll && chosen.size > 0}
                  onChange={chooseAll}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th key={column.key} role="columnheader" {...where(column)}>
                {column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body} role="rowgroup">
          <Gap height={above} />
          {drawn.map(({ row, index }) => (
            <Table.Tr
              key={row.id}
              role="row"
              data-index={index}
              {...(isLong ? { ref: measure, 'aria-rowindex': index + 2 } : {})}
            >
              {chosen !== undefined && (
                <Table.Td role="cell" className="choose">
                  <Checkbox
                    aria-label={WORDS.table.select(nameOf(row))}
                    checked={chosen.has(row.id)}
                    onChange={({ nativeEvent }) => ((nativeEvent as MouseEvent).shiftKey ? chooseTo(row) : choose(row))}
                  />
                </Table.Td>
              )}
              {columns.map((column) => {
                const value = column.cell(row);
                const isNone = value === WORDS.none || value === '' || value === false || value == null;
                return (
                  <Table.Td
                    key={column.key}
                    role="cell"
                    {...where(column)}
                    {...(typeof column.header === 'string' ? { 'data-label': column.header } : {})}
                    {...(isNone ? { 'data-none': true } : {})}
                    title={column.title?.(row)}
                  >
                    {value}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
          <Gap height={below} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Gap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden className="gap" style={{ height }} />;
}

function useRowsInSight<Row extends { id: string }>(rows: readonly Row[]) {
  const body = useRef<HTMLTableSectionElement>(null);
  const isLong = rows.length > LONG;
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null && isLong) setScrollMargin(body.current.getBoundingClientRect().top + window.scrollY);
  }, [isLong]);
  const all = useWindowVirtualizer({
    count: rows.length,
    enabled: isLong,
    estimateSize: () => (window.matchMedia(NARROW).matches ? CARD_PX : ROW_PX),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 15,
    scrollMargin,
  });
  const items = all.getVirtualItems();
  const drawn = isLong
    ? items.flatMap(({ index }) => (rows[index] === undefined ? [] : [{ row: rows[index], index }]))
    : rows.map((row, index) => ({ row, index }));
  const above = isLong ? (items[0]?.start ?? scrollMargin) - scrollMargin : 0;
  const below = isLong ? all.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin) : 0;
  return { body, drawn, above, below, isLong, measure: all.measureElement };
}

interface RowChoice<Row> {
  rows: readonly Row[];
  chosen: ReadonlyMap<string, Row> | undefined;
  onChoose: (chosen: ReadonlyMap<string, Row>) => void;
  /** The body of the table; its rows have their index in `data-index`. */
  body: RefObject<HTMLElement | null>;
}

/** Selects one row, all that are shown (`a`), or, with Shift, all from the last selected row to this one. */
function useRowChoice<Row extends { id: string }>({ rows, chosen, onChoose, body }: RowChoice<Row>) {
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

/** Another list (`name`) starts without a selection, so that no action concerns rows that are not visible. */
export function useChosenRows<Row>(name: string) {
  const [state, setState] = useState<{ name: string; rows: ReadonlyMap<string, Row> }>({ name, rows: new Map() });
  const isOther = state.name !== name;
  const next = { name, rows: new Map<string, Row>() };
  if (isOther) setState(next);
  return [isOther ? next.rows : state.rows, (rows: ReadonlyMap<string, Row>) => setState({ name, rows })] as const;
}
