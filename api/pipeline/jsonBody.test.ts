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

/** Returns the result of a reader for a request whose caller has disconnected (`isLeft`) or not. */
async function readAfter(read: BodyReader, isLeft: boolean): Promise<unknown> {
  const { after: mayRead, goOn } = gate();
  const { after: hasCome, goOn: come } = gate();
  const { after: hasGone, goOn: gone } = gate();
  let said: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    request.socket.once('close', gone);
    // Simulates the lookup of a credential before the body is read.
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

test.each(READERS)('reads %s of a caller who waits', async (_, read) => {
  expect(await readAfter(read, false)).toMatchObject({ rawBody: Buffer.from('{"a":1}') });
});

// It once started with an empty input, so the repeated request did not match its Idempotency-Key.
test.each(READERS)('does not read %s of a disconnected caller as empty', async (_, read) => {
  await expect(readAfter(read, true)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});
