import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Metrics } from '../engine/metrics/metrics.ts';
import { createLog } from './log.ts';
import { serveMetrics } from './serveMetrics.ts';

const DEFAULT_PORT = 9464;

async function statusOf(url: string, target: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

// Whoever reaches the port, by a page of a stranger in a browser of this machine too, could end the process.
test('a request to what is no URL is 404, and the process goes on', async () => {
  const settings = { METRICS_PORT: DEFAULT_PORT, METRICS_HOST: '127.0.0.1' };
  const served = await serveMetrics(settings, { isDefault: true, metrics: new Metrics(), log: createLog('silent') });
  if (served === undefined) throw new Error('not served');
  try {
    for (const target of ['//', 'http://[', '///metrics', '*', '/%', '/metrics/../healthz']) {
      expect([target, await statusOf(served.url, target)]).toEqual([target, 404]);
    }
    for (const target of ['/healthz', '/healthz?x=//', '/metrics']) {
      expect([target, await statusOf(served.url, target)]).toEqual([target, 200]);
    }
  } finally {
    await served.stop();
  }
});
