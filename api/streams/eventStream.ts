import { PassThrough } from 'node:stream';

/** Unread bytes after which a slow follower is disconnected; it resumes with Last-Event-ID. */
const MOST_UNREAD = 8_388_608;

/** A stream that is broken off on purpose: its follower is to come back, and then begins from the start. */
export class BrokenOff extends Error {}

/** The events for one follower. It may disconnect before its answer begins: sendEvents checks that. */
export function followerStream(): PassThrough {
  const stream = new PassThrough();
  stream.on('error', () => undefined);
  return stream;
}

/** One event of a `text/event-stream`. */
export function event(name: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Sends to a connected follower, and disconnects it if too much is unread. `last` ends the stream. */
export function send(stream: PassThrough, text: string, last = false): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > MOST_UNREAD) {
    stream.destroy(new BrokenOff('The client read the stream too slowly'));
    return;
  }
  stream.write(text);
  if (last) stream.end();
}
