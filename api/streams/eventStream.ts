import { PassThrough } from 'node:stream';

/** What a slow follower may leave unread before it is let go; it comes back with Last-Event-ID. Bytes. */
const MOST_UNREAD = 8_388_608;

/** A stream that is broken off on purpose: its follower is to come back, and then begins anew. */
export class BrokenOff extends Error {}

/** What a follower is sent. It may be broken off before its answer has begun: sendEvents looks, and nobody else hears of it. */
export function followerStream(): PassThrough {
  const stream = new PassThrough();
  stream.on('error', () => undefined);
  return stream;
}

/** One event of a `text/event-stream`. */
export function event(name: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** To who follows still; one that leaves too much unread is broken off. `last` ends the stream. */
export function send(stream: PassThrough, text: string, last = false): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > MOST_UNREAD) {
    stream.destroy(new BrokenOff('The client read the stream too slowly'));
    return;
  }
  stream.write(text);
  if (last) stream.end();
}
