import { HEAD } from './protocolMessage.ts';

/** Picks the messages with one letter out of the answers of a session, which come in pieces. */
export class MessageScan {
  readonly #letter: number;
  /** Of a message that may be one, or whose head is not whole yet. */
  #rest = Buffer.alloc(0);
  /** Bytes of another message that are still to come. */
  #toSkip = 0;

  constructor(letter: string) {
    this.#letter = letter.charCodeAt(0);
  }

  /** The messages that this piece completes. */
  add(piece: Buffer): Buffer[] {
    const found: Buffer[] = [];
    let data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    for (;;) {
      const skipped = Math.min(this.#toSkip, data.length);
      this.#toSkip -= skipped;
      data = data.subarray(skipped);
      if (data.length < HEAD) break;
      const length = data.readInt32BE(1) + 1;
      if (data[0] !== this.#letter) this.#toSkip = length;
      else if (data.length < length) break;
      else {
        found.push(Buffer.from(data.subarray(0, length)));
        data = data.subarray(length);
      }
    }
    this.#rest = Buffer.from(data);
    return found;
  }
}
