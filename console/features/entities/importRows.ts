import { csvOf } from '../../ui/files/csv.ts';
import { rowsOfCsv } from '../../ui/files/csvRows.ts';

export interface ImportRows {
  columns: string[];
  rows: Record<string, unknown>[];
}

/** Reads a JSON array of objects, or CSV. Throws an Error that explains the problem. */
export function importRows(text: string): ImportRows {
  if (!isJson(text)) return rowsOfCsv(text);
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('a JSON array of objects is expected');
  const rows = value.map((row: unknown, at) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Error(`row ${at + 1} is no object`);
    return row as Record<string, unknown>;
  });
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows };
}

const isJson = (text: string) => /^\s*[[{]/.test(text);

/** Returns the rows with these 1-based numbers as a text in the same format. */
export function someRows(text: string, numbers: ReadonlySet<number>): string {
  const { columns, rows } = importRows(text);
  const some = rows.filter((_, at) => numbers.has(at + 1));
  return isJson(text) ? `${JSON.stringify(some, null, 1)}\n` : csvOf(columns, some);
}

/** Whether the rows come from an export, so that their entities probably exist. */
export const isExport = ({ columns }: ImportRows) =>
  ['id', 'name', 'createdAt'].every((name) => columns.includes(name));

/** Maps columns to targets of the same name, ignoring case. Columns without a target are left out. */
export function guessedTargets(columns: readonly string[], targets: readonly string[]): Record<string, string> {
  const byName = new Map(targets.map((target) => [target.toLowerCase(), target]));
  return Object.fromEntries(
    columns.flatMap((column) => {
      const target = byName.get(column.trim().toLowerCase());
      return target === undefined ? [] : [[column, target]];
    }),
  );
}
