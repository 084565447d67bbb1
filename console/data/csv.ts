/** A cell that a spreadsheet takes for a formula is text: its first character is no command. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  return typeof value === 'string' && FORMULA.test(value) ? exactCell(`'${value}`) : exactCell(value);
}

function exactCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** RFC 4180, with a first line of names; for a spreadsheet. */
export const csvOf = (columns: readonly string[], rows: Rows): string => linesOf(columns, rows, cell).join('');

/** The same with each value as it is, for `rowsOfCsv`. */
export const exactCsvOf = (columns: readonly string[], rows: Rows): string =>
  linesOf(columns, rows, exactCell).join('');

const linesOf = (columns: readonly string[], rows: Rows, textOf: (value: unknown) => string): string[] =>
  [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((line) => `${line.map(textOf).join(',')}\r\n`);
