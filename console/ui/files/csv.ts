/** A text that a spreadsheet takes for a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** With an apostrophe it is no formula. One that begins with apostrophes gets another, so that `textOfCell` knows which is its own. */
function cell(value: unknown): string {
  return typeof value === 'string' && FORMULA.test(value) ? exactCell(`'${value}`) : exactCell(value);
}

/** What stood in a cell before `csvOf`, or a spreadsheet, marked it as a text. */
export const textOfCell = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);

function exactCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** RFC 4180, with a first line of names; for a spreadsheet, and as it was for `rowsOfCsv`. */
export const csvOf = (columns: readonly string[], rows: Rows): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((line) => `${line.map(cell).join(',')}\r\n`)
    .join('');
