import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { textOfCell } from './csv.ts';
import { FILES } from './words.ts';

/** Skips blank lines, and empty columns without a name. Throws an Error with the place if cells would be lost. */
export function rowsOfCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const plain = text.replace(/^\uFEFF/, '');
  const [directive, separator] = /^sep=(.)(?:\r\n|\r|\n)/i.exec(plain) ?? ['', separatorOf(plain)];
  const [names = [], ...rest] = cellsOf(plain.slice(directive.length), separator ?? ',');
  const wide = rest.findIndex((cells) => cells.slice(names.length).some((cell) => cell !== ''));
  if (wide >= 0) throw new Error(FILES.wide(wide + 1, names.length));
  const columns = names
    .map((name, at) => ({ name: textOfCell(name), at }))
    .filter(({ name, at }) => name.trim() !== '' || rest.some((cells) => (cells[at] ?? '') !== ''));
  const nameless = columns.find(({ name }) => name.trim() === '');
  if (nameless !== undefined) throw new Error(FILES.nameless(nameless.at + 1));
  const twice = columns.find(({ name }, at) => columns.findIndex((each) => each.name === name) < at);
  if (twice !== undefined) throw new Error(FILES.twice(twice.name));
  const rows = rest.map((cells) =>
    Object.fromEntries(columns.map(({ name, at }) => [name, textOfCell(cells[at] ?? '')])),
  );
  return { columns: columns.map(({ name }) => name), rows };
}

const SEPARATORS = [',', ';', '\t', '|'];

/** The most frequent separator of the first line outside quotes: spreadsheets of some countries write semicolons. */
function separatorOf(text: string): string {
  const line = /^(?:"[^"]*"|[^\r\n"])*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

function cellsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      delimiter,
      // A file may mix line ends; very old files use CR alone.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The first record is the header.
    throw new Error(error.code === 'CSV_QUOTE_NOT_CLOSED' ? FILES.open(Number(error.records)) : error.message);
  }
}
