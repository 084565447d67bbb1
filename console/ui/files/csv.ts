/** Spreadsheets read such a text as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** An apostrophe marks a formula as text. Texts with leading ones get another, so that `textOfCell` can remove it. */
function cell(value: unknown): string {
  return typeof value === 'string' && FORMULA.test(value) ? exactCell(`'${value}`) : exactCell(value);
}

/** Returns the cell's text before `csvOf`, or a spreadsheet, marked it as text. */
export const textOfCell = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);

function exactCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Formats rows as CSV (RFC 4180) with a header line, for spreadsheets. `rowsOfCsv` restores the original texts. */
export const csvOf = (columns: readonly string[], rows: Rows): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((line) => `${line.map(cell).join(',')}\r\n`)
    .join('');
