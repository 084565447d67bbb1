// test: long, pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { notify, statementTimeoutMs } from '../../prisma/store/database/capabilities.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';

let own: MigratedDatabase;
beforeAll(async () => {
  own = await startMigratedDatabase();
});
afterAll(() => own?.dispose());

function listening(tell: (channel: string, payload: string) => Promise<unknown>) {
  const said: string[] = [];
  const heard: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => said.push(JSON.parse(line).msg) });
  const listener = new DatabaseListener({
    url: own.url,
    channels: { some_channel: (payload) => heard.push(payload) },
    notify: tell,
    log,
  });
  return { listener, said, heard };
}

test('a listener that receives notifications reports nothing', async () => {
  const greeted: string[] = [];
  const { listener, said, heard } = listening(async (channel, payload) => {
    greeted.push(payload);
    await notify(own.database, channel, payload);
  });
  await poll(() => greeted.length, { timeout: 10_000 }).toBe(1);
  await notify(own.database, 'some_channel', 'x');
  await poll(() => heard, { timeout: 10_000 }).toEqual(['x']);
  // Longer than it waits for its own notification.
  await new Promise((go) => setTimeout(go, 5_500));
  expect(said).toEqual([]);
  await listener.stop();
}, 60_000);

test('a listener without notifications, as behind a transaction pooler, reports what to set', async () => {
  // Like a pooler: the statement succeeds, and no notification arrives.
  const { listener, said } = listening(async () => statementTimeoutMs(own.database));
  await poll(() => said, { timeout: 20_000 }).toEqual([expect.stringContaining('Set DATABASE_LISTEN_URL')]);
  await listener.stop();
}, 60_000);

// After such a pause, followers of a workspace used to get `resync` instead of each heartbeat.
test('a listener with a late notification continues, and reads what may have been lost', async () => {
  const late: [string, string][] = [];
  const { listener, said, heard } = listening(async (channel, payload) => late.push([channel, payload]));
  let gaps = 0;
  listener.afterGaps(() => {
    gaps += 1;
  });
  await poll(() => said, { timeout: 20_000 }).toEqual([expect.stringContaining('LISTEN hears nothing')]);
  expect([listener.hears, gaps]).toEqual([false, 0]);
  for (const [channel, payload] of late) await notify(own.database, channel, payload);
  await poll(() => [listener.hears, gaps], { timeout: 20_000 }).toEqual([true, 1]);
  await notify(own.database, 'some_channel', 'x');
  await poll(() => heard, { timeout: 20_000 }).toEqual(['x']);
  expect([listener.hears, gaps, said.at(-1)]).toEqual([true, 1, expect.stringContaining('LISTEN hears after all')]);
  await listener.stop();
}, 60_000);
