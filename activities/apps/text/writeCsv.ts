import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { valueAt } from '../../../domain/fieldPath.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';

/** Rows are objects (columns: the named ones, or all keys in order of appearance) or lists. */
export const writeCsv = withInputs(
  {
    rows: z.union([z.array(jsonObject), z.array(z.array(z.custom<Json>()))], 'expected a list of objects, or of lists'),
    columns: z.array(z.string()).min(1).optional(),
    header: z.boolean().default(true),
    delimiter: z.string().min(1).max(10).default(','),
    lineEnd: z.enum(['lf', 'crlf']).default('lf'),
    escapeFormulas: z.boolean().default(false),
  },
  ({ rows, columns, header, delimiter, lineEnd, escapeFormulas }) => {
    const objects = rows.filter(isJsonObject);
    const names = columns ?? [...new Set(objects.flatMap((row) => Object.keys(row)))];
    const head = header && names.length > 0 ? [names] : [];
    const lines = rows.map((row) =>
      (Array.isArray(row) ? row : names.map((name) => valueAt(row, name) ?? null)).map(cell),
    );
    const recordDelimiter = lineEnd === 'crlf' ? '\r\n' : '\n';
    return succeeded(
      stringify([...head, ...lines], { delimiter, record_delimiter: recordDelimiter, escape_formulas: escapeFormulas }),
    );
  },
);

/** Numbers stay numbers, because the formula guard would read the sign of -5 as a formula. */
function cell(value: Json): string | number {
  if (value === null) return '';
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
