/** A message on the channel between worker and fence: 4 bytes of length, then JSON. */
export function frameOf(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  return frame;
}

/** The other side broke the protocol. Nothing it sends afterwards can be trusted. */
export class InvalidFrame extends Error {}

export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #needed = 4;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the messages that `chunk` completes. Throws InvalidFrame before it buffers a frame that is too large. */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const messages: unknown[] = [];
    while (this.#bytes >= this.#needed) {
      let all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      const length = all.readUInt32BE();
      if (length > this.#maxBytes) throw new InvalidFrame(`a message of ${length} bytes`);
      this.#needed = 4 + length;
      if (all.length >= this.#needed) {
        messages.push(parsed(all.subarray(4, this.#needed)));
        all = all.subarray(this.#needed);
        this.#needed = 4;
      }
      this.#chunks = [all];
      this.#bytes = all.length;
    }
    return messages;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new InvalidFrame('a message that is not JSON');
  }
}
