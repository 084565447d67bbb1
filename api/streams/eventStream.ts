import { PassThrough } from 'node:stream';

/** Maximum unread bytes before a slow follower is disconnected; it resumes with Last-Event-ID. */
const MAX_UNREAD = 8_388_608;

/** Ends a stream on purpose; its follower reconnects and starts from the beginning. */
export class BrokenOff extends Error {}

/** Memory shared by slow followers: the more there are, the less each may leave unread. */
export class UnreadBytes {
  readonly #total: number;
  #streams = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get most(): number {
    return Math.min(MAX_UNREAD, Math.floor(this.#total / Math.max(1, this.#streams)));
  }

  count(stream: PassThrough): void {
    this.#streams += 1;
    stream.once('close', () => {
      this.#streams -= 1;
    });
  }
}

/** Events for one follower. It may disconnect before its answer begins: sendEvents checks that. */
export class FollowerStream extends PassThrough {
  readonly #unread: UnreadBytes;

  constructor(unread: UnreadBytes) {
    super();
    this.#unread = unread;
    this.on('error', () => undefined);
    unread.count(this);
  }

  get maxUnread(): number {
    return this.#unread.most;
  }
}

export function event(name: string, data: object, id?: number | string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Sends to a connected follower, and disconnects it if too much is unread. `last` ends the stream. */
export function send(stream: FollowerStream, text: string, last = false): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > stream.maxUnread) {
    stream.destroy(new BrokenOff('The client read the stream too slowly'));
    return;
  }
  stream.write(text);
  if (last) stream.end();
}
