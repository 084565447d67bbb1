import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { awaitExecution } from '../../activities/execution/awaitStarted.ts';
import { endExecution } from '../../activities/execution/endExecution.ts';
import type { ActivityServices } from '../../activities/services.ts';
import { FairPlaces } from '../../engine/fairness/fairPlaces.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

let own: MigratedDatabase;
let feed: ChangeFeed;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
  feed = new ChangeFeed({ database: own.database, pollMs: 3_600_000, log: createLog('silent') });
});
afterAll(async () => {
  await feed?.stop();
  await own?.dispose();
});

test('two ends at once: both return the written one', async () => {
  const { database } = own;
  const { workspaceId, executionId } = await insertOwnExecution(database);
  const services = { database, feed } as unknown as ActivityServices;
  const end = (status: 'CANCELLED' | 'TIMED_OUT') =>
    endExecution(services, { workspaceId, executionId, end: { status, reason: status } });

  const answers = await Promise.all([end('CANCELLED'), end('TIMED_OUT')]);
  const { status } = await database.execution.findUniqueOrThrow({ where: { id: executionId } });
  expect(answers).toEqual([status, status]);
});

test('a wait for it holds a place for waits; without one it looks, and leaves the slot of the worker until the next look', async () => {
  const { database } = own;
  const { workspaceId, executionId } = await insertOwnExecution(database);
  // One place per workspace, as in a worker with WAITS_AT_ONCE=2.
  const waitPlaces = new FairPlaces(2, { waiting: 0, patienceMs: 0 });
  const services = { database, feed, waitPlaces } as unknown as ActivityServices;
  const wait = () =>
    new MockActivityEnvironment().run(() => awaitExecution(services, { workspaceId, executionId })) as Promise<string>;

  const first = wait();
  for (let tries = 0; tries < 3; tries += 1) {
    const failure = await wait().catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: 'NO_PLACE', nonRetryable: false });
    expect((failure as { nextRetryDelay: number }).nextRetryDelay).toBeGreaterThan(0);
  }
  await endExecution(services, { workspaceId, executionId, end: { status: 'CANCELLED', reason: 'x' } });
  expect(await wait()).toBe('CANCELLED');
  expect(await first).toBe('CANCELLED');
});
