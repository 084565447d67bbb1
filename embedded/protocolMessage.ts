// Messages of the protocol of Postgres, version 3.

/** Bytes of a message's letter and length. */
export const HEAD = 5;

/** A message of a client or a server after the first: letter, length, body. */
export function messageOf(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(HEAD);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The end of a unit of the extended protocol. */
export const SYNC = messageOf('S', Buffer.alloc(0));
