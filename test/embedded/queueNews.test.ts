import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { QUEUE_CHANNEL } from '../../engine/queues/queueFeed.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';
import { poll } from '../setup/jest/poll.ts';

let own: MigratedDatabase;
let client: pg.Client;
const place = { workspaceId: randomUUID(), projectId: randomUUID() };
const heard: string[] = [];

beforeAll(async () => {
  own = await startMigratedDatabase();
  await own.database.workspace.create({ data: { id: place.workspaceId, name: 'w' } });
  await own.database.project.create({ data: { id: place.projectId, workspaceId: place.workspaceId, name: 'p' } });
  client = new pg.Client({ connectionString: own.url });
  client.on('notification', ({ payload = '' }) => heard.push(payload));
  await client.connect();
  await client.query(`LISTEN ${QUEUE_CHANNEL}`);
});
afterAll(async () => {
  await client?.end();
  await own?.dispose();
});

const send = (payload: string) => own.database.pool.query('SELECT pg_notify($1, $2)', [QUEUE_CHANNEL, payload]);

/** Returns the notifications of `write`: those between a marker before it and one after it. */
async function newsOf(write: () => Promise<unknown>): Promise<string[]> {
  const [begin, end] = [`begin ${randomUUID()}`, `end ${randomUUID()}`];
  await send(begin);
  await write();
  await send(end);
  await poll(() => heard).toContain(end);
  return heard.slice(heard.indexOf(begin) + 1, heard.indexOf(end));
}

test('a change of a ready item notifies, because consumers skipped it while it was locked', async () => {
  const { database } = own;
  const queueId = await makeQueue(database, place);
  const [id = ''] = await addItems(database, place.workspaceId, queueId, [{}]);
  const now = `${place.workspaceId} ${queueId} `;
  const change = (data: object) => newsOf(() => database.queueItem.update({ where: { id }, data }));
  expect(await change({ priority: 5 })).toEqual([now]);
  expect(await change({ status: 'PROCESSING' })).toEqual([]);
  expect(await change({ priority: 6 })).toEqual([]);
});

test('a queue notifies when it is activated, and when it has room for more batches', async () => {
  const { database } = own;
  const queueId = await makeQueue(database, place, { isActive: false });
  const now = `${place.workspaceId} ${queueId} `;
  const change = (data: object) => newsOf(() => database.queue.update({ where: { id: queueId }, data }));
  expect(await change({ maxConcurrent: 2 })).toEqual([]);
  expect(await change({ isActive: true })).toEqual([now]);
  expect(await change({ isActive: true, name: 'other' })).toEqual([]);
  expect(await change({ maxConcurrent: 3 })).toEqual([now]);
  expect(await change({ maxConcurrent: 1 })).toEqual([]);
});
