import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endExecution } from '../../activities/execution/endExecution.ts';
import type { ActivityServices } from '../../activities/services.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { insertOwnExecution } from '../setup/ownRows.ts';

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
