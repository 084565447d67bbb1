import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { gate } from '../../test/setup/jest/gate.ts';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { type BodyReader, bodyReader, rawBodyReader } from './jsonBody.ts';

const LIMITS = { bytes: 1_000, timeoutMs: 60_000 };
const READERS: [string, BodyReader][] = [
  ['JSON', bodyReader({ ...LIMITS, depth: 10 })],
  ['any body', rawBodyReader(LIMITS)],
];

/** What a reader says of a request that it comes to when `isLeft` says of the caller whether they are still there. */
async function readAfter(read: BodyReader, isLeft: boolean): Promise<unknown> {
  const { after: mayRead, goOn } = gate();
  const { after: hasCome, goOn: come } = gate();
  const { after: hasGone, goOn: gone } = gate();
  let said: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    request.socket.once('close', gone);
    // As a credential is looked up before the body is read.
    said = mayRead.then(() => read(request as Request, response as Response)).finally(() => response.end());
    said.catch(() => undefined);
    come();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}',
  );
  await hasCome;
  if (isLeft) {
    socket.destroy();
    await hasGone;
  }
  goOn();
  return said.finally(() => socket.destroy());
}

test.each(READERS)('%s of a caller who waits is read', async (_, read) => {
  expect(await readAfter(read, false)).toMatchObject({ rawBody: Buffer.from('{"a":1}') });
});

// Its start had an empty input, and the same request again was another one under its Idempotency-Key.
test.each(READERS)('%s of a caller who has left is no empty one', async (_, read) => {
  await expect(readAfter(read, true)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
