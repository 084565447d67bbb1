import { OBJECTS } from '../words/en/objects.ts';

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

/**
 * The rows of a CSV file by the names of its first line; values are texts. Blank lines, and columns without a name that are
 * empty, are left out. Throws an Error that says where cells would be lost.
 */
export function rowsOfCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const plain = text.replace(/^\uFEFF/, '');
  const [directive, separator] = /^sep=(.)(?:\r\n|\r|\n)/i.exec(plain) ?? ['', separatorOf(plain)];
  const lines = cellsOf(plain.slice(directive.length), separator ?? ',').filter(hasText);
  const [names = [], ...rest] = lines;
  const wide = rest.findIndex((cells) => cells.slice(names.length).some((cell) => cell !== ''));
  if (wide >= 0) throw new Error(OBJECTS.csv.wide(wide + 1, names.length));
  const columns = names
    .map((name, at) => ({ name, at }))
    .filter(({ name, at }) => name.trim() !== '' || rest.some((cells) => (cells[at] ?? '') !== ''));
  const nameless = columns.find(({ name }) => name.trim() === '');
  if (nameless !== undefined) throw new Error(OBJECTS.csv.nameless(nameless.at + 1));
  const twice = columns.find(({ name }, at) => columns.findIndex((each) => each.name === name) < at);
  if (twice !== undefined) throw new Error(OBJECTS.csv.twice(twice.name));
  const rows = rest.map((cells) => Object.fromEntries(columns.map(({ name, at }) => [name, cells[at] ?? ''])));
  return { columns: columns.map(({ name }) => name), rows };
}

const SEPARATORS = [',', ';', '\t', '|'];

/** The separator of the first line, of which most stand outside of its quotes: spreadsheets of some countries write semicolons. */
export function separatorOf(text: string): string {
  const line = /^(?:"[^"]*"|[^\r\n"])*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

const hasText = (cells: readonly string[]) => cells.some((each) => each !== '');

function cellsOf(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let value = '';
  /** How many lines stand before that of a quote that has no end so far. */
  let quotedSince: number | undefined;
  const endCell = () => {
    line.push(value);
    value = '';
  };
  const endLine = () => {
    endCell();
    lines.push(line);
    line = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quotedSince !== undefined) {
      if (character !== '"') value += character;
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else quotedSince = undefined;
    } else if (character === '"' && value === '') quotedSince = lines.length;
    else if (character === separator) endCell();
    else if (character === '\n') endLine();
    else if (character !== '\r') value += character;
    // Of old machines: no line feed follows.
    else if (text[at + 1] !== '\n') endLine();
  }
  if (quotedSince !== undefined) throw new Error(OBJECTS.csv.open(lines.slice(0, quotedSince).filter(hasText).length));
  endLine();
  return lines;
}
