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

/** The rows of a CSV file by the names of its first line; values are texts. Blank lines are left out. */
export function rowsOfCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const lines = cellsOf(text.replace(/^\uFEFF/, '')).filter((cells) => cells.some((each) => each !== ''));
  const [columns = [], ...rest] = lines;
  const rows = rest.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
  return { columns, rows };
}

/** The separator of the first line: spreadsheets of some countries write semicolons. */
function separatorOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (separator: string) => line.split(separator).length;
  return [';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}

function cellsOf(text: string): string[][] {
  const separator = separatorOf(text);
  const lines: string[][] = [];
  let line: string[] = [];
  let value = '';
  let isQuoted = false;
  const endCell = () => {
    line.push(value);
    value = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') value += character;
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && value === '') isQuoted = true;
    else if (character === separator) endCell();
    else if (character === '\n') {
      endCell();
      lines.push(line);
      line = [];
    } else if (character !== '\r') value += character;
  }
  endCell();
  lines.push(line);
  return lines;
}
