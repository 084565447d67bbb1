import { HEAD } from './protocolMessage.ts';

export class MessageScan {
  readonly #letter: number;
  /** The beginning of a message that matches, or whose head is incomplete. */
  #rest = Buffer.alloc(0);
  #toSkip = 0;

  constructor(letter: string) {
    this.#letter = letter.charCodeAt(0);
  }

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
