import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { withInputs } from '../checkedInputs.ts';
import { failed, succeeded } from '../executor.ts';

/** Returns objects named by the first line; without `header`, lists. */
export const parseCsv = withInputs(
  {
    text: z.string().default(''),
    delimiter: z.string().min(1).max(10).default(','),
    header: z.boolean().default(true),
    trim: z.boolean().default(true),
    inferTypes: z.boolean().default(false),
  },
  ({ text, delimiter, header, trim, inferTypes }) => {
    try {
      const rows: string[][] = parse(text, { bom: true, delimiter, trim, skip_empty_lines: true });
      const typed: Json[][] = inferTypes ? rows.map((row) => row.map(inferred)) : rows;
      if (!header) return succeeded(typed);
      const names = columnNames(rows[0] ?? []);
      // fromEntries instead of the parser's own columns, because a column may be called __proto__.
      return succeeded(typed.slice(1).map((row) => Object.fromEntries(row.map((cell, at) => [names[at] ?? '', cell]))));
    } catch (error) {
      if (error instanceof CsvError) return failed('INVALID_CSV', `text: ${error.message}`);
      throw error;
    }
  },
);

/** No cell is lost: an unnamed third column is called column3, the second of a name gets _2. */
function columnNames(head: string[]): string[] {
  const taken = new Set<string>();
  return head.map((cell, at) => {
    const base = cell === '' ? `column${at + 1}` : cell;
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    return name;
  });
}

/** Numbers as JSON writes them (007 stays text), true and false; an empty cell is null. */
function inferred(cell: string): Json {
  if (cell === '') return null;
  if (cell === 'true' || cell === 'false') return cell === 'true';
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(cell)) return cell;
  const number = Number(cell);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : cell;
}
