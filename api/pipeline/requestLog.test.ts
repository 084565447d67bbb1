import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { pino } from 'pino';
import { Metrics } from '../../engine/metrics/metrics.ts';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { untraced } from '../../test/setup/stack/untraced.ts';
import { requestLog } from './requestLog.ts';

interface Line {
  level: number;
  route?: string;
  status: number;
}

async function linesOf(status: number, ...paths: string[]): Promise<Line[]> {
  const lines: Line[] = [];
  let notify: () => void = () => undefined;
  const write = (line: string) => {
    lines.push(JSON.parse(line));
    notify();
  };
  const log = pino({ level: 'debug' }, { write });
  const app = express();
  app.use(requestLog({ log, metrics: new Metrics(), tracing: untraced(), spans: undefined }));
  app.use((_request, response) => void response.status(status).end());
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(async () => void server.close());
  await once(server, 'listening');
  for (const path of paths) {
    const logged = new Promise<void>((done) => {
      notify = done;
    });
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    await logged;
  }
  return lines;
}

const { info, debug } = pino.levels.values;

test('a probe that succeeds is a debug line with its route; other requests are info lines', async () => {
  expect(await linesOf(200, '/readyz', '/healthz', '/api/projects')).toMatchObject([
    { level: debug, route: '/readyz', status: 200 },
    { level: debug, route: '/healthz', status: 200 },
    { level: info, status: 200 },
  ]);
});

test('a probe that fails is an info line', async () => {
  expect(await linesOf(503, '/readyz')).toMatchObject([{ level: info, route: '/readyz', status: 503 }]);
});
