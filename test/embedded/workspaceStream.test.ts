// test: long, pglite
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { buildApp } from '../../api/app.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { OpenStreams } from '../../api/streams/openStreams.ts';
import { WorkspaceFollowers } from '../../api/streams/workspaceFollowers.ts';
import { AccessFeed } from '../../engine/feeds/accessFeed.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { QUEUE_CHANNEL, QueueFeed } from '../../engine/queues/queueFeed.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { CHANGE_CHANNEL } from '../../prisma/store/execution/recordProgress.ts';
import { followWorkspace, type WorkspaceStream } from '../setup/api/workspaceEvents.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const log = pino({ level: 'silent' });
let own: OwnApi;
/** The connection of another process. */
let writer: pg.Client;
let way: Awaited<ReturnType<typeof breakableWay>>;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  own = await startOwnApi();
  writer = new pg.Client({ connectionString: own.services.config.DATABASE_URL });
  await writer.connect();
  // Foreign keys are not under test.
  await writer.query('SET session_replication_role = replica');
  way = await breakableWay(own.services.config.DATABASE_URL as string);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await writer?.end();
  way?.close();
  await own?.dispose();
});

/** A connection to the database that can be cut, with everything that uses it. */
async function breakableWay(databaseUrl: string) {
  const { host, port, user = '', password, database = '' } = new pg.Client({ connectionString: databaseUrl });
  // PGlite uses a socket in a folder.
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const far = connect(target);
    for (const each of [socket, far]) {
      sockets.add(each);
      each
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(each);
          socket.destroy();
          far.destroy();
        });
    }
    socket.pipe(far).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`postgresql://127.0.0.1:${(server.address() as AddressInfo).port}/${database}`);
  url.username = user;
  url.password = String(password ?? '');
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}

interface Settings {
  maxGathered?: number;
  maxKept?: number;
  keptMs?: number;
  heartbeatMs?: number;
}

/** An API process with its own listener and counted statements. */
async function process({ maxGathered = 5_000, maxKept = 2_000, keptMs = 30_000, heartbeatMs = 15_000 }: Settings = {}) {
  let statements = 0;
  const { database } = own;
  const pool = new Proxy(database.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target);
      return (...args: Parameters<typeof target.query>) => {
        statements += 1;
        return target.query(...args);
      };
    },
  });
  const counted = new Proxy(database, {
    get: (target, name) => (name === 'pool' ? pool : Reflect.get(target, name, target)),
  });
  const feed = new ChangeFeed({ database, pollMs: 3_600_000, log });
  const queueFeed = new QueueFeed();
  const accessFeed = new AccessFeed();
  const heard: string[] = [];
  const listener = new DatabaseListener({
    url: way.url,
    channels: {
      [CHANGE_CHANNEL]: (payload) => feed.notified(payload),
      [QUEUE_CHANNEL]: (payload) => queueFeed.notified(payload),
      hello: (payload) => heard.push(payload),
    },
    log,
  });
  await poll(async () => {
    await writer.query(`SELECT pg_notify('hello', 'you')`);
    return heard.length > 0;
  }).toBe(true);
  const workspaceFollowers = new WorkspaceFollowers({
    ...{ database: counted, feed, queueFeed, listener, log, heartbeatMs, maxGathered, maxKept, keptMs },
    ...{ gatherMs: 250, pauseMs: 1_100, queueLookMs: 5_000, unread: new UnreadBytes(100_000_000) },
  });
  const openStreams = new OpenStreams({ database: counted, accessFeed, recheckMs: heartbeatMs, log });
  const url = await own.serve(buildApp({ ...own.services, workspaceFollowers, openStreams }));
  ends.push(async () => {
    workspaceFollowers.stop();
    openStreams.stop();
    feed.stop();
    await listener.stop();
  });
  return { url, listener, workspaceFollowers, statements: () => statements };
}

async function key(...permissions: Parameters<typeof insertApiKey>[2]['permissions']): Promise<string> {
  const { key: credential, hash, prefix } = makeApiKey();
  const row = { id: v7(), name: 'k', hash, prefix, permissions, expiresAt: null };
  await insertApiKey(own.database, own.workspaceId, row);
  return credential;
}

async function follow(url: string, credential: string, lastEventId?: string): Promise<WorkspaceStream> {
  const stream = await followWorkspace(url, credential, lastEventId);
  ends.push(() => stream.close());
  return stream;
}

let written: Promise<unknown> = Promise.resolve();
/** Writes one after the other, because there is one connection. */
function write(text: string, values: unknown[]): Promise<unknown> {
  written = written.then(() => writer.query(text, values));
  return written;
}

let numbers = 0;
async function insertExecution(workspaceId = own.workspaceId): Promise<string> {
  const id = v7();
  numbers += 1;
  await write(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables)
     VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, 'w', 'WORKFLOW', 'PENDING', '{}', '{}')`,
    [id, workspaceId, numbers],
  );
  return id;
}

/** Writes rows and notifications in one transaction, like every write of progress. */
async function change(ids: string | string[], status: string): Promise<void> {
  await write(
    `WITH c AS (UPDATE executions SET status = $2, revision = revision + 1, updated_at = now() WHERE id = ANY ($1) RETURNING *)
     SELECT pg_notify('${CHANGE_CHANNEL}', c.id || ' ' || c.revision || ' ' || c.status || ' false') FROM c`,
    [[ids].flat(), status],
  );
}

/** A write of more than half a second while a client starts to follow adds one `resync` for all. */
const STRAY = 1;
const STATUSES = ['RUNNING', 'WAITING', 'NEEDS_INPUT', 'COMPLETED'] as const;

/** A client that shows the workspace's executions: it reads them if necessary, and applies events otherwise. */
function view(stream: WorkspaceStream, url: string, credential: string) {
  const shown = new Map<string, string>();
  let read = 0;
  let seen = 0;
  const catchUp = async () => {
    for (; seen < stream.events.length; seen += 1) {
      const { event, data } = stream.events[seen] as WorkspaceStream['events'][number];
      if (event === 'resync' || seen === 0) {
        const answer = await fetch(`${url}/api/executions?expansion=status&limit=1000`, {
          headers: { 'x-api-key': credential },
        });
        for (const { id, status } of (await answer.json()) as { id: string; status: string }[]) shown.set(id, status);
        read += 1;
      } else if (event === 'execution.changed') shown.set(data.id, data.status);
    }
    return Object.fromEntries(shown);
  };
  return { catchUp, reads: () => read };
}

async function stored(): Promise<Record<string, string>> {
  const { rows } = await writer.query('SELECT id, status FROM executions WHERE workspace_id = $1', [own.workspaceId]);
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}

test('two hundred followers of a busy workspace cost less than one statement a second in all, and each gets everything', async () => {
  const { url, statements } = await process({ heartbeatMs: 2_000 });
  const keys = await Promise.all(Array.from({ length: 20 }, () => key('executions:read', 'queues:read')));
  const ids = await Promise.all(Array.from({ length: 20 }, () => insertExecution()));
  const streams = await Promise.all(
    Array.from({ length: 200 }, (_, index) => follow(url, keys[index % keys.length] as string)),
  );
  const [before, began] = [statements(), Date.now()];
  for (let round = 0; round < 160; round += 1) {
    await change(ids[round % ids.length] as string, STATUSES[round % STATUSES.length] as string);
    await sleep(50);
  }
  const seconds = (Date.now() - began) / 1_000;
  const made = statements() - before;
  expect(seconds).toBeGreaterThan(8);
  // Reads of changes, plus permission checks of followers; 200 callers checked separately would need far more.
  const looks = Math.ceil(seconds / 2);
  expect(made).toBeGreaterThan(2);
  expect(made - looks).toBeLessThan(seconds);
  const last = await stored();
  for (const stream of streams) {
    await poll(() =>
      Object.fromEntries(stream.data('execution.changed').map(({ id, status }) => [id, status])),
    ).toEqual(expect.objectContaining(Object.fromEntries(ids.map((id) => [id, last[id]]))));
    expect(stream.data('resync').length).toBeLessThanOrEqual(STRAY);
  }
}, 90_000);

test('nothing is missed where the listener loses its connection: resync, and what is shown is true again', async () => {
  const { url, listener } = await process();
  const credential = await key('executions:read');
  const stream = await follow(url, credential);
  expect(stream.events[0]).toMatchObject({ event: 'heartbeat' });
  const { catchUp, reads } = view(stream, url, credential);
  const ids = await Promise.all(Array.from({ length: 10 }, () => insertExecution()));
  for (let round = 0; round < 60; round += 1) {
    if (round === 20) way.cut();
    if (round === 40) way.mend();
    await change(ids[round % ids.length] as string, STATUSES[round % 3] as string);
    await sleep(20);
  }
  await poll(() => listener.hears).toBe(true);
  await poll(() => stream.data('resync').length).toBeGreaterThan(0);
  await poll(catchUp, { timeout: 10_000 }).toEqual(await stored());
  expect(reads()).toBeLessThanOrEqual(2 + STRAY);
  await change(ids[0] as string, 'COMPLETED');
  await poll(async () => (await catchUp())[ids[0] as string]).toBe('COMPLETED');
  expect(reads()).toBeLessThanOrEqual(2 + STRAY);
}, 60_000);

test('while the listener is away, each heartbeat is a resync', async () => {
  const { url } = await process({ heartbeatMs: 300 });
  const stream = await follow(url, await key('executions:read'));
  await poll(() => stream.data('heartbeat').length).toBeGreaterThan(2);
  const strays = stream.data('resync').length;
  expect(strays).toBeLessThanOrEqual(STRAY);
  way.cut();
  await poll(() => stream.data('resync').length).toBeGreaterThan(strays + 2);
  way.mend();
  const count = () => stream.data('heartbeat').length;
  const before = count();
  await poll(count).toBeGreaterThan(before + 1);
}, 60_000);

test('a follower who comes back gets what it has missed; with an id that is not known any more, resync', async () => {
  const { url } = await process({ maxKept: 5, keptMs: 60_000, heartbeatMs: 600_000 });
  const credential = await key('executions:read');
  const [first, second] = [await insertExecution(), await insertExecution()];
  const stream = await follow(url, credential);
  await change(first, 'RUNNING');
  await poll(() => stream.data('execution.changed')).toMatchObject([{ id: first, status: 'RUNNING' }]);
  const id = stream.lastId();
  stream.close();
  await stream.ended;
  // There are no followers now; another one proves that the change was read.
  await change(second, 'RUNNING');
  const other = await follow(url, credential, id);
  await poll(() => other.data('execution.changed')).toMatchObject([{ id: second, status: 'RUNNING' }]);
  // It started with the missed events, else it would have started with `resync`.
  expect(other.data('heartbeat')).toHaveLength(1);
  expect(other.lastId()).not.toBe(id);

  for (const status of ['WAITING', 'NEEDS_INPUT', 'COMPLETED']) {
    for (const each of [first, second]) await change(each, status);
    await poll(() => other.data('execution.changed').filter((data) => data.status === status).length).toBe(2);
  }
  // Six events have arrived since, and five are kept.
  const late = await follow(url, credential, id);
  expect(late.events).toMatchObject([{ event: 'resync', id: other.lastId() }]);
  for (const unknown of ['x', '7', `${id}0000`, 'another.1']) {
    expect((await follow(url, credential, unknown)).events).toMatchObject([{ event: 'resync' }]);
  }
  const elsewhere = await process();
  expect((await follow(elsewhere.url, credential, other.lastId())).events).toMatchObject([{ event: 'resync' }]);
}, 60_000);

test('a process that ends its streams is left for another, which tells to read again', async () => {
  const [one, two] = [await process(), await process()];
  const credential = await key('executions:read');
  const id = await insertExecution();
  const stream = await follow(one.url, credential);
  const { catchUp } = view(stream, one.url, credential);
  await change(id, 'RUNNING');
  await poll(async () => (await catchUp())[id]).toBe('RUNNING');
  one.workspaceFollowers.stop();
  expect(await stream.ended).toBe(true);
  await change(id, 'WAITING');
  const again = await follow(two.url, credential, stream.lastId());
  const next = view(again, two.url, credential);
  expect(again.events).toMatchObject([{ event: 'resync' }]);
  expect((await next.catchUp())[id]).toBe('WAITING');
}, 60_000);

test('drops changes beyond the limit for all followers, with a resync', async () => {
  const { url } = await process({ maxGathered: 20 });
  const credential = await key('executions:read');
  const stream = await follow(url, credential);
  const { catchUp } = view(stream, url, credential);
  const ids = await Promise.all(Array.from({ length: 30 }, () => insertExecution()));
  // Written in one transaction, so that they are combined however slow the machine is.
  await change(ids, 'RUNNING');
  await poll(() => stream.data('resync').length).toBeGreaterThan(0);
  expect(stream.data('execution.changed')).toEqual([]);
  await poll(catchUp).toEqual(await stored());
  await change(ids[0] as string, 'COMPLETED');
  await poll(() => stream.data('execution.changed')).toMatchObject([{ id: ids[0], status: 'COMPLETED' }]);
  // An import of more entities than that has the same effect; those of a smaller one are named.
  const objects = await follow(url, await key('objects:read'));
  const type = v7();
  await write('INSERT INTO object_types (id, workspace_id, slug, name) VALUES ($1, $2, $3, $3)', [
    ...[type, own.workspaceId, 'order'],
  ]);
  const before = objects.data('resync').length;
  const importObjects = (count: number) =>
    write(
      `INSERT INTO object_changes (workspace_id, object_id, object_type_id, revision, kind, transaction_id)
       SELECT $1, gen_random_uuid(), $2, 1, 'created', transactions_before() + pg_current_xact_id()::text::bigint
       FROM generate_series(1, $3)`,
      [own.workspaceId, type, count],
    );
  await importObjects(21);
  await poll(() => objects.data('resync').length).toBeGreaterThan(before);
  expect(objects.data('object.changed')).toEqual([]);
  await importObjects(20);
  await poll(() => objects.data('object.changed')).toHaveLength(20);
}, 90_000);

test('another workspace, and permissions that are not there, get nothing', async () => {
  const { url } = await process();
  const stranger = await own.database.workspace.create({ data: { id: v7(), name: 'stranger' } });
  const queue = await own.database.queue.create({
    data: { id: v7(), workspaceId: own.workspaceId, projectId: own.projectId, name: 'q' },
  });
  const [all, queues] = [
    await follow(url, await key('executions:read', 'queues:read')),
    await follow(url, await key('queues:read')),
  ];
  const [ours, theirs] = [await insertExecution(), await insertExecution(stranger.id)];
  for (const id of [theirs, ours]) await change(id, 'RUNNING');
  await own.database.queue.update({ where: { id: queue.id }, data: { name: 'other' } });
  await poll(() => queues.data('queue.changed')).toEqual([{ queueId: queue.id }]);
  await poll(() => all.data('queue.changed')).toEqual([{ queueId: queue.id }]);
  await poll(() => all.data('execution.changed').map(({ id }) => id)).toEqual([ours]);
  expect(queues.data('execution.changed')).toEqual([]);
}, 60_000);
