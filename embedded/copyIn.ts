import { messageOf } from './protocolMessage.ts';

/*
 * PGlite reads the rows of a COPY from the same input as the statement, and crashes if they are missing, so they are
 * sent together:
 *
 *   client ── COPY ──► ◄── CopyInResponse (ours) ── rows … CopyDone ──► COPY + rows + CopyDone ──► PGlite
 */

const [QUERY, PARSE, COPY_IN, DATA, DONE, FAIL] = [...'QPGdcf'].map((letter) => letter.charCodeAt(0));
/** Strings, quoted names and comments, in which keywords do not count. */
const QUIET = /\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\//gis;
const FROM_STDIN = /^\s*copy\b.*\bfrom\s+stdin\b/is;
const BINARY = /\bbinary\b/i;

/** `alone`: the only statement of a simple query; `refused`: in a place without support for rows. */
export type CopyPlace = 'alone' | 'refused' | undefined;

/** Returns whether and how a message begins a COPY … FROM STDIN. */
export function copyPlace(message: Buffer): CopyPlace {
  if (message[0] !== QUERY && message[0] !== PARSE) return undefined;
  if (!/stdin/i.test(message.toString('latin1'))) return undefined;
  const text = message.toString('utf8', message[0] === PARSE ? message.indexOf(0, 5) + 1 : 5);
  const statements = text
    .replaceAll('\0', ' ')
    .replace(QUIET, (quiet) => (/^(--|\/\*)/.test(quiet) ? ' ' : ' x '))
    .split(';')
    .filter((each) => each.trim() !== '');
  if (!statements.some((each) => FROM_STDIN.test(each))) return undefined;
  return message[0] === QUERY && statements.length === 1 ? 'alone' : 'refused';
}

/** Returns the message with a statement that fails when it runs, like any other error. */
export function refusedCopy(message: Buffer): Buffer {
  const refusal = `DO $$ BEGIN RAISE feature_not_supported USING MESSAGE = 'COPY FROM STDIN must be the only statement of a simple query: the embedded database takes it in no other way'; END $$\0`;
  if (message[0] === QUERY) return messageOf('Q', Buffer.from(refusal));
  const name = message.subarray(5, message.indexOf(0, 5) + 1);
  return messageOf('P', Buffer.concat([name, Buffer.from(refusal), Buffer.alloc(2)]));
}

export class CopyIn {
  readonly #statement: Buffer;
  readonly #mostBytes: number;
  #rows: Buffer[] = [];
  #bytes = 0;

  constructor(statement: Buffer, mostBytes: number) {
    this.#statement = statement;
    this.#mostBytes = mostBytes;
  }

  /** Returns the CopyInResponse. The number of columns is unknown at this point; clients ignore it. */
  get response(): Buffer {
    const format = BINARY.test(this.#statement.toString('latin1')) ? 1 : 0;
    return messageOf('G', Buffer.from([format, 0, 0]));
  }

  add(message: Buffer): Buffer | undefined {
    if (message[0] === DATA) {
      this.#bytes += message.length;
      if (this.#bytes > this.#mostBytes) this.#rows = [];
      else this.#rows.push(message);
    }
    if (message[0] !== DONE && message[0] !== FAIL) return undefined;
    const end = this.#bytes > this.#mostBytes ? this.#tooMuch() : message;
    return Buffer.concat([this.#statement, ...this.#rows, end]);
  }

  #tooMuch(): Buffer {
    return messageOf('f', Buffer.from(`the embedded database takes at most ${this.#mostBytes} bytes at once\0`));
  }
}

/** Removes the CopyInResponse from PGlite's response: the client already has ours. */
export function withoutCopyIn(answer: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readInt32BE(at + 1);
    if (answer[at] !== COPY_IN) kept.push(answer.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
