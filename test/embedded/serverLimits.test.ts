import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

// What one caller, or a stranger, can take of a process: each limit by its setting.

const LIMITS = {
  HEADERS_TIMEOUT_MS: '300',
  BODY_TIMEOUT_MS: '400',
  BULK_BODY_TIMEOUT_MS: '1200',
  MAX_CONNECTIONS: '30',
};

let own: OwnApi;
let looks = 0;
beforeAll(async () => {
  own = await startOwnApi(LIMITS);
  const ready = async () => {
    looks += 1;
    return { engine: true, worker: true };
  };
  Object.assign(own.services, { engine: { ready } });
});
afterAll(() => own?.dispose());

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(own.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends it, and returns what the server says until it closes the connection. */
async function saidTo(text: string): Promise<{ status: number; code: string; ms: number }> {
  const socket = await opened();
  const begin = performance.now();
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  return { status, code: JSON.parse(body).code, ms: performance.now() - begin };
}

const half = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${own.apiKey}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"half":`;

test('half a header line is answered with 408, and the connection ends', async () => {
  const { status, code } = await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
  expect([status, code]).toEqual([408, 'REQUEST_TIMEOUT']);
});

test('a connection that was opened ahead is not late: its first request is answered', async () => {
  const ahead = await opened();
  // Later than it: when this one is late, that one has been looked at, too.
  await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
  await saidTo('GET /healthz HTTP/1.1\r\nhost: a\r\nx-half');
  ahead.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of ahead) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('half a body is answered with 408, of a stranger and of a caller; one of bulk has more time', async () => {
  const login = await saidTo(half('/api/auth/login'));
  expect([login.status, login.code]).toEqual([408, 'REQUEST_TIMEOUT']);
  const project = await saidTo(half('/api/projects'));
  expect([project.status, project.code]).toEqual([408, 'REQUEST_TIMEOUT']);
  const bulk = await saidTo(half('/api/objects/import'));
  expect([bulk.status, bulk.code]).toEqual([408, 'REQUEST_TIMEOUT']);
  expect(bulk.ms).toBeGreaterThan(1_100);
});

test('a body that arrived while the process stood still is read', async () => {
  const body = JSON.stringify({ name: 'still' });
  const socket = await opened();
  socket.write(half('/api/projects').replace('1000000', `${body.length}`).replace('{"half":', '{'));
  // Until it waits for the body; its time is 400 ms.
  await new Promise((go) => setTimeout(go, 200));
  // Timers are what the event loop comes to next.
  setImmediate(() => {
    socket.write(body.slice(1));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  });
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
});

test('more connections than MAX_CONNECTIONS are closed at once, and places are free again', async () => {
  const sockets = await Promise.all(Array.from({ length: 30 }, opened));
  const over = await opened();
  await once(over, 'close');
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  const answers = async () => (await fetch(`${own.url}/healthz`)).status;
  // The server hears of the ends a moment later.
  for (let tries = 0; tries < 100 && (await answers().catch(() => 0)) !== 200; tries += 1);
  expect(await answers()).toBe(200);
});

test('two Host headers are refused, everywhere', async () => {
  for (const path of ['/api/projects', '/healthz', '/docs']) {
    const { status, code } = await saidTo(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\nx-api-key: ${own.apiKey}\r\n\r\n`,
    );
    expect([path, status, code]).toEqual([path, 400, 'VALIDATION_FAILED']);
  }
});

test('/readyz looks once a second, however many ask', async () => {
  const before = looks;
  await Promise.all(Array.from({ length: 25 }, () => fetch(`${own.url}/readyz`)));
  expect(looks - before).toBeLessThanOrEqual(2);
  expect((await api(own.url)('GET', '/readyz')).body).toMatchObject({ ready: true });
});
