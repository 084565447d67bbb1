import { Checkbox, Table } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { WORDS } from '../words/en.ts';
import { useRowChoice } from './useRowChoice.ts';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Left out on narrow screens. */
  isWide?: boolean;
  className?: string;
  title?: (row: Row) => string | undefined;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Rows that are chosen by id; absent where nothing can be done with them. */
  chosen?: ReadonlyMap<string, Row> | undefined;
  onChoose?: (chosen: ReadonlyMap<string, Row>) => void;
  /** What a row is called where it is chosen. */
  nameOf?: (row: Row) => string;
}

/** From so many rows on only those in sight are drawn. */
const LONG = 100;
const ROW_PX = 46;

/** A table in the order of the API. Its keys: j and k walk the rows, Enter opens one, x chooses it; see useRowChoice for more. */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  chosen,
  onChoose = () => {},
  nameOf = ({ id }) => id,
}: DataTableProps<Row>) {
  const where = ({ isWide, className }: Column<Row>) => ({
    ...(isWide === true ? { visibleFrom: 'sm' as const } : {}),
    ...(className === undefined ? {} : { className }),
  });
  const { body, drawn, above, below, isLong, measure } = useRowsInSight(rows);
  const { areAll, chooseAll, choose, chooseTo } = useRowChoice({ rows, chosen, onChoose, body });
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table
        className="rows"
        aria-label={label}
        highlightOnHover
        data-walked
        {...(isLong ? { 'aria-rowcount': rows.length + 1 } : {})}
      >
        <Table.Thead>
          <Table.Tr>
            {chosen !== undefined && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={WORDS.table.selectShown}
                  checked={areAll}
                  indeterminate={!areAll && chosen.size > 0}
                  onChange={chooseAll}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th key={column.key} {...where(column)}>
                {column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          <Gap height={above} />
          {drawn.map(({ row, index }) => (
            <Table.Tr key={row.id} data-index={index} {...(isLong ? { ref: measure, 'aria-rowindex': index + 2 } : {})}>
              {chosen !== undefined && (
                <Table.Td>
                  <Checkbox
                    aria-label={WORDS.table.select(nameOf(row))}
                    checked={chosen.has(row.id)}
                    onChange={({ nativeEvent }) => ((nativeEvent as MouseEvent).shiftKey ? chooseTo(row) : choose(row))}
                  />
                </Table.Td>
              )}
              {columns.map((column) => (
                <Table.Td key={column.key} {...where(column)} title={column.title?.(row)}>
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Gap height={below} />
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The room of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />;
}

/** The rows in sight, and the pixels above and below them; of a short table all. */
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
    estimateSize: () => ROW_PX,
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
