import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { createTokens } from '../../api/access/token.ts';
import { buildApp } from '../../api/app.ts';
import { AuditLog } from '../../api/audit/auditLog.ts';
import { createHttpServer } from '../../api/httpServer.ts';
import { EventStream } from '../../api/operation.ts';
import { OPERATIONS } from '../../api/operations/table.ts';
import type { Services } from '../../api/services.ts';
import { readConfig } from '../../config.ts';
import { AccessFeed } from '../../engine/feeds/accessFeed.ts';
import { Metrics } from '../../engine/metrics/metrics.ts';
import type { Database } from '../../prisma/client.ts';
import { gate } from '../setup/jest/gate.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { openStreamsOf } from '../setup/stack/ownApi.ts';
import { untraced } from '../setup/stack/untraced.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

// Streams release their place whenever their caller disconnects.

const PLACES = 3;
const PATH = '/api/executions/01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f/stream';
const log = pino({ level: 'silent' });

/** Serves the API with few places for endless streams. Key lookups wait while `held` is set. */
async function serve() {
  const { apiKey } = await makeWorkspace();
  const config = readConfig({ MAX_STREAMS_PER_CALLER: String(PLACES) });
  const lookups: { held: Promise<void> | undefined; count: number } = { held: undefined, count: 0 };
  const database = new Proxy(stackDatabase(), {
    get(target, name) {
      if (name !== 'pool') return Reflect.get(target, name);
      const query = async (text: string, values: unknown[]) => {
        lookups.count += 1;
        await lookups.held;
        return target.pool.query(text, values);
      };
      return { query };
    },
  }) as Database;
  const streams: Readable[] = [];
  const streamExecution = async () => {
    const events = new PassThrough();
    events.write(': begun\n\n');
    streams.push(events);
    return new EventStream(events);
  };
  const services = {
    ...{ config, log, database, metrics: new Metrics(), audit: new AuditLog(database, log), tracing: untraced() },
    tokens: createTokens('x'.repeat(32), config.ACCESS_TOKEN_TTL),
    openStreams: openStreamsOf(database, new AccessFeed()),
  } as unknown as Services;
  const server = createHttpServer(buildApp(services, { ...OPERATIONS, streamExecution }), config, log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (times = 1) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\n\r\n`.repeat(times));
    return socket;
  };
  const connections = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  const status = async () => {
    const [first] = await once(await ask(), 'data');
    return String(first).slice(9, 12);
  };
  return { ask, status, connections, lookups, streams };
}

test('a caller who disconnects before the key is checked takes no place for a stream', async () => {
  const { ask, status, connections, lookups } = await serve();
  const { after, goOn } = gate();
  lookups.held = after;
  const leavers = await Promise.all(Array.from({ length: PLACES + 1 }, () => ask()));
  await poll(() => lookups.count).toBe(leavers.length);
  for (const socket of leavers) socket.destroy();
  await poll(connections).toBe(0);
  lookups.held = undefined;
  goOn();
  for (let place = 0; place < PLACES; place += 1) expect(await status()).toBe('200');
  expect(await status()).toBe('429');
});

test('streams that wait on a connection behind another one end with it', async () => {
  const { ask, status, connections, streams } = await serve();
  const socket = await ask(PLACES);
  await poll(() => streams.length).toBe(PLACES);
  socket.destroy();
  await poll(connections).toBe(0);
  await poll(() => streams.filter(({ destroyed }) => !destroyed).length).toBe(0);
  for (let place = 0; place < PLACES; place += 1) expect(await status()).toBe('200');
});
