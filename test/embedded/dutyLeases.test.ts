import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Duty } from '../../engine/duties/duty.ts';
import { DutyLeases } from '../../engine/duties/dutyLeases.ts';
import { Reconciler } from '../../engine/duties/reconciler.ts';
import type { Database } from '../../prisma/client.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';
import { poll } from '../setup/poll.ts';

const log = createLog('silent');
const NAMES = ['one', 'two', 'three'];

let own: MigratedDatabase;
let database: Database;
const begun: DutyLeases[] = [];

beforeAll(async () => {
  own = await startMigratedDatabase(2);
  ({ database } = own);
});
afterEach(async () => {
  for (const leases of begun.splice(0)) {
    await leases.stop();
    await leases.release();
  }
  await database.dutyLease.deleteMany();
});
afterAll(() => own?.dispose());

function begin(leaseMs: number, isAlone = false): DutyLeases {
  const leases = new DutyLeases({ database, leaseMs, isAlone, log });
  begun.push(leases);
  leases.begin(NAMES);
  return leases;
}

const heldBySomebodyGone = (leaseMs: number) =>
  database.dutyLease.createMany({
    data: NAMES.map((duty) => ({ duty, holder: randomUUID(), expiresAt: new Date(Date.now() + leaseMs) })),
  });

test('of several processes one holds every duty, the others none', async () => {
  const first = begin(60_000);
  await first.held('one');
  const [second, third] = [begin(60_000), begin(60_000)];
  await poll(() => database.dutyLease.count()).toBe(3);
  expect([first.count, second.count, third.count]).toEqual([3, 0, 0]);
});

test('the duties of one that has died are taken when its leases end', async () => {
  await heldBySomebodyGone(500);
  const next = begin(500);
  await Promise.all(NAMES.map((duty) => next.held(duty)));
  expect(next.count).toBe(3);
});

test('one that stops leaves them to the next at once', async () => {
  const first = begin(300_000);
  await first.held('one');
  await first.stop();
  await first.release();
  const second = begin(300_000);
  await second.held('one');
  expect(second.count).toBe(3);
});

test('one that is alone on its database waits for nobody', async () => {
  await heldBySomebodyGone(3_600_000);
  const alone = begin(60_000, true);
  await alone.held('two');
  expect(alone.count).toBe(3);
});

test('a process without a lease runs no duty until it has one', async () => {
  await heldBySomebodyGone(3_600_000);
  const runs: string[] = [];
  const duties: Duty[] = NAMES.map((name) => ({
    name,
    intervalMs: 1,
    run: async () => {
      runs.push(name);
    },
  }));
  const leases = begin(300);
  const reconciler = new Reconciler(duties, log, { leases });
  await poll(() => database.dutyLease.count()).toBe(3);
  expect(runs).toEqual([]);
  await reconciler.stop();
  expect(runs).toEqual([]);
  const holder = begin(300, true);
  const working = new Reconciler(duties, log, { leases: holder });
  await poll(() => new Set(runs).size).toBe(3);
  await working.stop();
});

test('a lease is lost while the database does not answer', async () => {
  const leases = begin(300);
  await leases.held('one');
  await database.$executeRaw`UPDATE duty_leases SET holder = gen_random_uuid(), expires_at = now() + interval '1 hour'`;
  await poll(() => leases.count).toBe(0);
});
