import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import { failExpiredLeases } from '../../prisma/store/queueItem/failItem.ts';
import { completeItem, failTakenItem, postponeItem } from '../../prisma/store/queueItem/settleItems.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { addItems, makeQueue } from '../setup/database/queueRows.ts';

let own: MigratedDatabase;
let database: Database;
const place = { workspaceId: randomUUID(), projectId: randomUUID() };
let queueId: string;
let number = 0;
const PAST = new Date(0);

beforeAll(async () => {
  own = await startMigratedDatabase();
  database = own.database;
  await database.workspace.create({ data: { id: place.workspaceId, name: 'w' } });
  await database.project.create({ data: { id: place.projectId, workspaceId: place.workspaceId, name: 'p' } });
  queueId = await makeQueue(database, place, { retryDelayMinutes: 0 });
});
afterAll(() => own?.dispose());

async function addItem(): Promise<string> {
  const [itemId = ''] = await addItems(database, place.workspaceId, queueId, [{}]);
  return itemId;
}

/** As the engine takes an item for an execution. */
async function takenBy(itemId: string) {
  const executionId = v7();
  number += 1;
  await database.execution.create({
    data: {
      ...{ id: executionId, workspaceId: place.workspaceId, versionId: v7(), number, name: 'w', source: 'WORKFLOW' },
      ...{ status: 'RUNNING', trigger: {}, variables: {} },
    },
  });
  await database.queueItem.update({
    where: { id: itemId },
    data: { status: 'PROCESSING', executionId, lastExecutionId: executionId },
  });
  return { workspaceId: place.workspaceId, executionId };
}

const rowOf = (id: string) =>
  database.queueItem.findUnique({
    where: { id },
    select: { status: true, executionId: true, retryCount: true, scheduledFor: true },
  });

const error = { message: 'm' };

test('a postponement that is tried again after others took the item is repeated, and leaves it to them', async () => {
  const itemId = await addItem();
  const first = await takenBy(itemId);
  expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'settled' });
  expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
  const second = await takenBy(itemId);
  const theirs = await rowOf(itemId);
  expect(theirs).toMatchObject({ status: 'PROCESSING', executionId: second.executionId });
  expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
  // It did neither of these.
  expect(await completeItem(database, first, itemId)).toEqual({ status: 'PROCESSING', outcome: 'refused' });
  expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'PROCESSING', outcome: 'refused' });
  expect(await rowOf(itemId)).toEqual(theirs);
  expect(await completeItem(database, second, itemId)).toEqual({ status: 'COMPLETED', outcome: 'settled' });
  expect(await postponeItem(database, first, itemId, PAST)).toEqual({ status: 'PENDING', outcome: 'repeated' });
  expect(await completeItem(database, second, itemId)).toEqual({ status: 'COMPLETED', outcome: 'repeated' });
});

test('an error that is tried again after others took the item spends no second retry', async () => {
  const itemId = await addItem();
  const first = await takenBy(itemId);
  expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'settled' });
  expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'repeated' });
  await takenBy(itemId);
  expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'repeated' });
  expect(await rowOf(itemId)).toMatchObject({ status: 'PROCESSING', retryCount: 1 });
});

test('an error that others reported of its item is not its own', async () => {
  const itemId = await addItem();
  const first = await takenBy(itemId);
  await database.queueItem.update({
    where: { id: itemId },
    data: { executionId: null, leaseWorker: 'w', leaseExpiresAt: PAST },
  });
  expect(await failExpiredLeases(database, ALL_BUCKETS, 10)).toMatchObject([{ itemId, status: 'RETRYING' }]);
  expect(await failTakenItem(database, first, itemId, error)).toEqual({ status: 'RETRYING', outcome: 'refused' });
  expect(await rowOf(itemId)).toMatchObject({ status: 'RETRYING', retryCount: 1 });
});
