import { Checkbox, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { WORDS } from '../words/en.ts';

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

/** A table in the order of the API. Its keys: j and k walk the rows, Enter opens one, x chooses it. */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  chosen,
  onChoose = () => {},
  nameOf = ({ id }) => id,
}: DataTableProps<Row>) {
  const areAll = chosen !== undefined && rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  const chooseAll = () => onChoose(areAll ? new Map() : new Map(rows.map((row) => [row.id, row])));
  const choose = (row: Row) => {
    const next = new Map(chosen);
    if (!next.delete(row.id)) next.set(row.id, row);
    onChoose(next);
  };
  const where = ({ isWide, className }: Column<Row>) => ({
    ...(isWide === true ? { visibleFrom: 'sm' as const } : {}),
    ...(className === undefined ? {} : { className }),
  });
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table className="rows" aria-label={label} highlightOnHover data-walked>
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
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {chosen !== undefined && (
                <Table.Td>
                  <Checkbox
                    aria-label={WORDS.table.select(nameOf(row))}
                    checked={chosen.has(row.id)}
                    onChange={() => choose(row)}
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
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
