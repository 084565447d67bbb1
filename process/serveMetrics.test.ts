import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Metrics } from '../engine/metrics/metrics.ts';
import { onTestFinished } from '../test/setup/jest/onTestFinished.ts';
import { createLog } from './log.ts';
import { serveMetrics } from './serveMetrics.ts';

const DEFAULT_PORT = 9464;

async function serve(host: string): Promise<string> {
  const settings = { METRICS_PORT: DEFAULT_PORT, METRICS_HOST: host };
  const served = await serveMetrics(settings, { isDefault: true, metrics: new Metrics(), log: createLog('silent') });
  if (served === undefined) throw new Error('not served');
  onTestFinished(() => served.stop());
  return served.url;
}

/** fetch does not send a Host header of its own. */
async function statusOf(url: string, target: string, host = 'localhost'): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname === '0.0.0.0' ? '127.0.0.1' : hostname.replace(/[[\]]/g, ''));
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

// Anyone who reaches the port, even a web page in a browser of this machine, could end the process.
test('answers 404 to an invalid URL and keeps running', async () => {
  const url = await serve('127.0.0.1');
  for (const target of ['//', 'http://[', '///metrics', '*', '/%', '/metrics/../healthz']) {
    expect([target, await statusOf(url, target)]).toEqual([target, 404]);
  }
  for (const target of ['/healthz', '/healthz?x=//', '/metrics']) {
    expect([target, await statusOf(url, target)]).toEqual([target, 200]);
  }
});

// A web page whose name resolves to 127.0.0.1 can read the answers of its own origin.
test('answers on loopback only if the Host names this machine', async () => {
  const url = await serve('127.0.0.1');
  const { port } = new URL(url);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'LOCALHOST']) {
    expect([host, await statusOf(url, '/metrics', host)]).toEqual([host, 200]);
  }
  for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'localhost.evil.example', '']) {
    for (const target of ['/metrics', '/healthz', '/']) {
      expect([host, target, await statusOf(url, target, host)]).toEqual([host, target, 421]);
    }
  }
});

test('the address that METRICS_HOST chose is a name too, and beyond loopback every name is taken', async () => {
  const chosen = await serve('localhost');
  expect(await statusOf(chosen, '/metrics', 'evil.example')).toBe(421);
  expect(await statusOf(chosen, '/metrics', new URL(chosen).host)).toBe(200);
  const open = await serve('0.0.0.0');
  expect(await statusOf(open, '/metrics', 'perdure-worker-7.example:9464')).toBe(200);
});
