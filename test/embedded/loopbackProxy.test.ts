import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { startLoopbackProxy } from '../../embedded/loopbackProxy.ts';
import { anyPort } from '../../process/ports.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { loopback } from '../setup/providers/loopback.ts';

/** Sends a request with another Host, which fetch cannot do. */
function ask(port: number, host: string, path = '/'): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { host } }, async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode, text });
    });
    request.on('error', reject);
  });
}

async function started(target: number): Promise<number> {
  const port = await anyPort();
  onTestFinished(await startLoopbackProxy(port, { host: '127.0.0.1', port: target }));
  return port;
}

test('a name that is none of this machine gets nothing of the server behind', async () => {
  const inner = await loopback((call, response) => response.end(`inner ${call.url}`));
  const port = await started(Number(new URL(inner.url).port));
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
    expect(await ask(port, host, '/api/v1/namespaces')).toEqual({ status: 200, text: 'inner /api/v1/namespaces' });
  }
  const before = inner.calls.length;
  for (const host of ['evil.example:8233', `127.0.0.1.evil.example:${port}`, 'localhost.evil.example', '127.0.0.2']) {
    expect((await ask(port, host)).status).toBe(421);
  }
  expect(inner.calls).toHaveLength(before);
});

test('a server that is away is 502, and none that hangs', async () => {
  const port = await started(await anyPort());
  expect((await ask(port, 'localhost')).status).toBe(502);
});

test.each([
  ['breaks off', undefined],
  ['speaks no HTTP', 'hello\r\n\r\n'],
])('a server that %s is 502 too', async (_, said) => {
  const inner = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (said === undefined ? socket.resetAndDestroy() : socket.end(said)));
  });
  inner.listen(0, '127.0.0.1');
  await once(inner, 'listening');
  onTestFinished(() => inner.close());
  const port = await started((inner.address() as AddressInfo).port);
  expect((await ask(port, 'localhost')).status).toBe(502);
});
