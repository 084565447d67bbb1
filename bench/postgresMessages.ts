// Parses messages of a Postgres client (protocol 3.0), as far as needed to count statements.

const LENGTH_BYTES = 4;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;

/** Reads pieces of any size, and reports each executed statement: a simple query, or an Execute. */
export class StatementReader {
  readonly #onStatement: (sql: string) => void;
  readonly #texts = new Map<string, string>();
  readonly #portals = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #started = false;

  constructor(onStatement: (sql: string) => void) {
    this.#onStatement = onStatement;
  }

  take(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    for (;;) {
      // Only the first message has no type letter.
      const typeBytes = this.#started ? 1 : 0;
      if (this.#rest.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + this.#rest.readInt32BE(typeBytes);
      if (this.#rest.length < end) return;
      const body = this.#rest.subarray(typeBytes + LENGTH_BYTES, end);
      if (this.#started) this.#message(String.fromCharCode(this.#rest[0] ?? 0), body);
      else this.#started = ![SSL_REQUEST, GSS_REQUEST].includes(body.readInt32BE(0));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #message(type: string, body: Buffer): void {
    const [first = '', second = ''] = texts(body, 2);
    if (type === 'Q') this.#onStatement(first);
    else if (type === 'P') this.#texts.set(first, second);
    else if (type === 'B') this.#portals.set(first, this.#texts.get(second) ?? '');
    else if (type === 'E') this.#onStatement(this.#portals.get(first) ?? '');
  }
}

function texts(body: Buffer, count: number): string[] {
  const found: string[] = [];
  for (let from = 0; found.length < count; ) {
    const end = body.indexOf(0, from);
    if (end < 0) return found;
    found.push(body.toString('utf8', from, end));
    from = end + 1;
  }
  return found;
}
