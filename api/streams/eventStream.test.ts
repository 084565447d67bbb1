import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { EventStream } from '../operation.ts';
import { sendEvents } from '../pipeline/answer.ts';
import { BrokenOff, FollowerStream, send, UnreadBytes } from './eventStream.ts';

test('disconnects a follower with too much unread data, which can reconnect', async () => {
  const stream = new FollowerStream(new UnreadBytes(100_000_000));
  const errors: Error[] = [];
  const server = createServer((_, response) => {
    sendEvents(response as unknown as Response, new EventStream(stream), (error) => errors.push(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    request.on('error', () => undefined);
    const [follower] = (await once(request, 'response')) as [IncomingMessage];
    // The client does not read, and the system's buffers are bounded, too.
    const text = `data: ${'x'.repeat(1_048_576)}\n\n`;
    for (let sent = 0; sent < 200 && !stream.destroyed; sent += 1) {
      send(stream, text);
      await turn();
    }
    expect(stream.destroyed).toBe(true);
    const broken = once(follower, 'error');
    follower.resume();
    await broken;
    expect(errors).toEqual([expect.any(BrokenOff)]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a follower that disconnects before its answer begins ends its wait', async () => {
  const stream = new FollowerStream(new UnreadBytes(100_000_000));
  stream.destroy(new BrokenOff('at once'));
  const server = createServer((_, response) => {
    sendEvents(response as unknown as Response, new EventStream(stream), () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await expect(fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).rejects.toThrow();
  } finally {
    server.close();
  }
});

test('more followers leave each less unread data', () => {
  const unread = new UnreadBytes(2_000_000);
  const streams = Array.from({ length: 10 }, () => new FollowerStream(unread));
  const [slow, quick] = streams as [FollowerStream, FollowerStream];
  send(slow, 'x'.repeat(200_001));
  send(slow, 'more');
  send(quick, 'x'.repeat(200_000));
  send(quick, 'more');
  expect([slow.destroyed, quick.destroyed]).toEqual([true, false]);
  for (const stream of streams) stream.destroy();
});

test('an ended stream leaves its memory to the others', async () => {
  const unread = new UnreadBytes(10_000);
  const first = new FollowerStream(unread);
  const second = new FollowerStream(unread);
  expect(second.maxUnread).toBe(5_000);
  first.destroy();
  await once(first, 'close');
  expect(second.maxUnread).toBe(10_000);
  second.destroy();
});
