import stringWidth from 'string-width';
import { isProblem, PerdureProblem } from '#client/problem';

export type OutputForm = 'people' | 'json' | 'jsonl';

export type Column<Row> = [heading: string, text: (row: Row) => unknown];

interface Streams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Writes data to stdout and everything else to stderr. */
export class Output {
  readonly form: OutputForm;
  readonly #streams: Streams;
  readonly #isQuiet: boolean;
  readonly hasColor: boolean;

  constructor(
    form: OutputForm,
    { isQuiet, hasColor }: { isQuiet: boolean; hasColor: boolean },
    streams: Streams = process,
  ) {
    this.form = form;
    this.#isQuiet = isQuiet;
    this.hasColor = hasColor;
    this.#streams = streams;
  }

  get isLive(): boolean {
    return this.form === 'people' && this.#streams.stdout.isTTY === true;
  }

  get width(): number {
    return this.#streams.stdout.columns ?? 100;
  }

  raw(text: string): void {
    this.#streams.stdout.write(text);
  }

  line(text: string): void {
    this.raw(`${text}\n`);
  }

  note(text: string): void {
    if (!this.#isQuiet) this.#streams.stderr.write(`${text}\n`);
  }

  /** Prints one value: a document with --json, and otherwise the result of `people`. */
  value<T>(value: T, people: (value: T) => string = (each) => pretty(each)): void {
    this.line(this.form === 'people' ? people(value) : this.form === 'json' ? pretty(value) : JSON.stringify(value));
  }

  rows<Row>(rows: Row[], columns: Column<Row>[], none: string): void {
    if (this.form === 'json') this.line(pretty(rows));
    else if (this.form === 'jsonl') for (const row of rows) this.line(JSON.stringify(row));
    else if (rows.length === 0) this.note(none);
    else this.raw(tableOf(rows, columns));
  }

  event(event: object, people: string): void {
    this.line(this.form === 'people' ? people : JSON.stringify(event));
  }

  failure(error: unknown): void {
    if (this.form !== 'people' && isProblem(error)) {
      this.#streams.stderr.write(`${JSON.stringify({ ...error.body, status: error.status })}\n`);
      return;
    }
    this.#streams.stderr.write(`${failureText(error)}\n`);
  }
}

function failureText(error: unknown): string {
  if (!(error instanceof PerdureProblem)) {
    return printableLines(`perdure: ${error instanceof Error ? error.message : String(error)}`);
  }
  const places = error.errors.map(({ path, message }) => printable(`  ${path === '' ? '(body)' : path}: ${message}`));
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  return [printable(`perdure: ${error.code}: ${error.detail}${request}`), ...places].join('\n');
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null';
}

function tableOf<Row>(rows: Row[], columns: Column<Row>[]): string {
  const cells = [
    columns.map(([heading]) => heading),
    ...rows.map((row) => columns.map(([, text]) => shown(text(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((each) => stringWidth(each[index] ?? ''))));
  const line = (each: string[]) =>
    each
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd();
  return `${cells.map(line).join('\n')}\n`;
}

const MAX_CELL_LENGTH = 80;

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Control characters, and those that change the direction of text. Names, errors and answers come from others. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** Makes a text safe to print on one line. */
export const printable = (text: string): string => text.replace(OBEYED, ' ');

export const printableLines = (text: string): string =>
  text.replace(OBEYED, (obeyed) => obeyed.replace(/[^\n\t]/g, ''));

export function cut(text: string, columns = MAX_CELL_LENGTH): string {
  const line = printable(text);
  if (stringWidth(line) <= columns) return line;
  const kept = [...line];
  // Wide letters take two columns.
  while (stringWidth(kept.join('')) >= columns) kept.pop();
  return `${kept.join('')}…`;
}
