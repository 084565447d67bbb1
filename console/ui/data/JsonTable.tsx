import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { tableOf } from './jsonParts.ts';
import { DATA } from './words.ts';

const words = DATA;
/** Rows that are shown at first, and with each request for more. */
const PAGE = 100;

export function JsonTable({ label, value }: { label: string; value: unknown }) {
  const [count, setCount] = useState(PAGE);
  const { columns, rows, columnsLeft } = useMemo(() => tableOf(value), [value]);
  return (
    <>
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, at) => (
                <td key={columns[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columnsLeft > 0 && <p className="data-size">{words.columnsLeft(columnsLeft)}</p>}
      {rows.length > count && (
        <Button size="compact-xs" variant="default" onClick={() => setCount(count + PAGE)}>
          {words.more(rows.length - count)}
        </Button>
      )}
    </>
  );
}
