// Messages of the Postgres protocol, version 3.

/** Bytes of a message's letter and length. */
export const HEAD = 5;

/** Builds any message except a client's first: letter, length, body. */
export function messageOf(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(HEAD);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The end of a unit of the extended protocol. */
export const SYNC = messageOf('S', Buffer.alloc(0));
