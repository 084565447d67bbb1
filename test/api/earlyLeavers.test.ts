import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { createTokens } from '../../api/access/token.ts';
import { buildApp } from '../../api/app.ts';
import { AuditLog } from '../../api/audit/auditLog.ts';
import { ExecutionFollowers } from '../../api/executions/executionFollowers.ts';
import { EventStream } from '../../api/operation.ts';
import { OPERATIONS, type OperationTable } from '../../api/operations/table.ts';
import type { Services } from '../../api/services.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { readConfig } from '../../config.ts';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import { AccessFeed } from '../../engine/feeds/accessFeed.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { Metrics } from '../../engine/metrics/metrics.ts';
import type { Database } from '../../prisma/client.ts';
import { api } from '../setup/api/client.ts';
import { gate } from '../setup/jest/gate.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { openStreamsOf } from '../setup/stack/ownApi.ts';
import { untraced } from '../setup/stack/untraced.ts';
import { question } from '../setup/workspace/graph.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const LEAVERS = 90;
const log = pino({ level: 'silent' });

/** Serves the real pipeline on its own server, with the dependencies of streams. */
async function serve(more: Partial<Services>, operations: OperationTable = OPERATIONS) {
  const config = readConfig({});
  const tokens = createTokens('x'.repeat(32), config.ACCESS_TOKEN_TTL);
  const database = stackDatabase();
  const audit = new AuditLog(database, log);
  const openStreams = openStreamsOf(database, new AccessFeed());
  const metrics = new Metrics();
  const tracing = untraced();
  const own = { config, log, metrics, database, tokens, audit, openStreams, tracing };
  const services = { ...own, ...more } as Services;
  const server = createServer(buildApp(services, operations));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = () => new Promise<number>((done) => server.getConnections((_, count) => done(count)));
  const ask = async (path: string, apiKey: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\n\r\n`);
    return socket;
  };
  return { ask, open };
}

function heldReads() {
  const { after, goOn: release } = gate();
  const database = new Proxy(stackDatabase(), {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== '$queryRaw') return member;
      return async (texts: TemplateStringsArray, ...values: unknown[]) => {
        if (texts.join('').includes('"executionPath"')) await after;
        return target.$queryRaw(texts, ...values);
      };
    },
  }) as Database;
  return { database, release };
}

test('a client that leaves before the first byte is dropped, also during the first read', async () => {
  const { url, apiKey, projectId } = await makeWorkspace();
  const call = api(url, apiKey);
  const body = { slug: 'asks', nodes: [question('ask')], edges: [] };
  const workflow = await call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
  const started = await call('POST', `/api/executions/workflows/${workflow.body.id}/execute`, { body: {} });
  const { executionId } = started.body;
  const { database, release } = heldReads();
  const feed = new ChangeFeed({ database, pollMs: 60_000, log });
  const limits = DEFAULT_READ_LIMITS;
  const timing = { maxPauseMs: 1_000, heartbeatMs: 60_000, unread: new UnreadBytes(100_000_000) };
  const followers = new ExecutionFollowers({ database, feed, catalogue: new Map(), limits, ...timing, log });
  onTestFinished(async () => {
    followers.stop();
    await feed.stop();
  });
  const { ask, open } = await serve({ followers });
  const path = `/api/executions/${executionId}/stream`;
  const sockets = await Promise.all(Array.from({ length: LEAVERS }, () => ask(path, apiKey)));
  await poll(() => followers.count).toBe(LEAVERS);
  for (const socket of sockets) socket.destroy();
  await poll(open).toBe(0);
  await poll(() => followers.count).toBe(0);
  release();
  const stays = await ask(path, apiKey);
  let text = '';
  for await (const chunk of stays) {
    text += chunk;
    if (text.includes('event: execution.progress')) break;
  }
  expect(text).toContain(executionId);
  await poll(() => followers.count).toBe(0);
});

test('a stream of any operation that is made too late for its caller is destroyed', async () => {
  const { apiKey } = await makeWorkspace();
  const streams: Readable[] = [];
  const asked: (() => void)[] = [];
  const streamExecution = async () => {
    await new Promise<void>((go) => asked.push(go));
    const events = new PassThrough();
    streams.push(events);
    return new EventStream(events);
  };
  const { ask, open } = await serve({}, { ...OPERATIONS, streamExecution });
  const path = '/api/executions/01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f/stream';
  const sockets = await Promise.all(Array.from({ length: LEAVERS }, () => ask(path, apiKey)));
  await poll(() => asked.length).toBe(LEAVERS);
  for (const socket of sockets) socket.destroy();
  await poll(open).toBe(0);
  for (const go of asked) go();
  await poll(() => streams.length).toBe(LEAVERS);
  await poll(() => streams.filter(({ destroyed }) => !destroyed).length).toBe(0);
});
