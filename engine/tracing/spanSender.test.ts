import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { SpanRecord } from '../../domain/trace/spanRecord.ts';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { SpanSender } from './spanSender.ts';

const { env } = process;
afterEach(() => {
  process.env = env;
});

const SPAN: SpanRecord = {
  name: 'a',
  kind: 'server',
  trace: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1 },
  startMs: 1,
  endMs: 2,
  attributes: {},
};

/** A collector that begins its answer like this, and continues with a byte each 20 ms for ever. */
async function trickling(beginning: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(beginning);
      const timer = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => {
        clearInterval(timer);
        sockets.delete(socket);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  process.env = {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  };
  return new SpanSender({ serviceName: 'x', longestMs: 500, log: pino({ level: 'silent' }) });
}

test.each([
  ['an answer without an end to its head', 'HTTP/1.1 200 OK\r\nX-A: '],
  ['a refusal without an end', 'HTTP/1.1 503 No\r\n\r\n'],
  ['answers before the answer', 'HTTP/1.1 103 Early Hints\r\nX-A: '],
  ['a body without an end behind its yes', 'HTTP/1.1 200 OK\r\n\r\n'],
])('a collector that trickles %s is left when its time is over', async (_, beginning) => {
  const sender = await trickling(beginning);
  expect(await sender.send([SPAN], new AbortController().signal)).toBe(false);
  await sender.stop();
});
