import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { Duty } from '../../engine/duties/duty.ts';
import { DutyLeases } from '../../engine/duties/dutyLeases.ts';
import { Reconciler } from '../../engine/duties/reconciler.ts';
import type { Database } from '../../prisma/client.ts';
import type { LeasedDuty } from '../../prisma/store/operation/dutyLeases.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';

const log = createLog('silent');
const SHARDS = 16;
const DUTIES: LeasedDuty[] = [
  { name: 'one', shards: SHARDS },
  { name: 'two', shards: SHARDS },
  { name: 'alone', shards: 1 },
];
const ALL = 2 * SHARDS + 1;
const LONG_MS = 300_000;
/** Long enough for a busy machine, short enough to wait for three of them. */
const SHORT_MS = 1_500;

let own: MigratedDatabase;
let database: Database;
const begun = new Set<DutyLeases>();

beforeAll(async () => {
  own = await startMigratedDatabase(4);
  ({ database } = own);
});
afterEach(async () => {
  for (const leases of begun) await leave(leases);
  await database.dutyLease.deleteMany();
  await database.dutyWorker.deleteMany();
});
afterAll(() => own?.dispose());

function begin({ leaseMs = SHORT_MS, isAlone = false, duties = DUTIES } = {}): DutyLeases {
  const leases = new DutyLeases({ database, leaseMs, isAlone, log });
  begun.add(leases);
  leases.begin(duties);
  return leases;
}

async function leave(leases: DutyLeases): Promise<void> {
  begun.delete(leases);
  await leases.stop();
  await leases.release();
}

async function die(leases: DutyLeases): Promise<void> {
  begun.delete(leases);
  await leases.stop();
}

async function shares(duty: string): Promise<number[]> {
  const held = await database.dutyLease.findMany({ where: { duty, expiresAt: { gt: new Date() } } });
  const counts = new Map<string, number>();
  for (const { holder } of held) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return [...counts.values()].sort((one, other) => one - other);
}

async function heldBySomebodyGone(leaseMs: number): Promise<void> {
  const [id, expiresAt] = [randomUUID(), new Date(Date.now() + leaseMs)];
  await database.dutyWorker.create({ data: { id, duties: DUTIES.map(({ name }) => name), expiresAt } });
  await database.dutyLease.createMany({
    data: DUTIES.flatMap(({ name: duty, shards }) =>
      Array.from({ length: shards }, (_, shard) => ({ duty, shard, holder: id, expiresAt })),
    ),
  });
}

test('one worker has every shard of every duty', async () => {
  const only = begin();
  await only.held('one');
  expect(only.count).toBe(ALL);
  expect(only.bucketsOf('two')).toEqual(ALL_BUCKETS);
  expect(only.heldBuckets('one').has(randomUUID())).toBe(true);
});

test('shares of three workers differ by one, follow one that comes, and one that dies', async () => {
  const first = begin();
  await first.held('one');
  const [second, third] = [begin(), begin()];
  await poll(() => shares('one')).toEqual([5, 5, 6]);
  await poll(() => shares('two')).toEqual([5, 5, 6]);
  expect(await shares('alone')).toEqual([1]);
  await poll(() => first.count + second.count + third.count).toBe(ALL);
  const workspaceId = randomUUID();
  const holders = () => [first, second, third].filter((each) => each.heldBuckets('two').has(workspaceId));
  await poll(() => holders().length).toBe(1);
  await die(second);
  await poll(() => shares('one')).toEqual([8, 8]);
  await poll(() => shares('two')).toEqual([8, 8]);
  expect(await database.dutyLease.count()).toBe(ALL);
});

test('one that stops leaves its shards to others at once', async () => {
  const first = begin({ leaseMs: LONG_MS });
  await first.held('one');
  await leave(first);
  const second = begin({ leaseMs: LONG_MS });
  await second.held('one');
  expect(second.count).toBe(ALL);
});

test('the duties of one that has died are taken when its leases end', async () => {
  await heldBySomebodyGone(500);
  const next = begin({ leaseMs: 500 });
  await poll(() => next.count).toBe(ALL);
});

test('a worker that is alone on its database does not wait', async () => {
  await heldBySomebodyGone(3_600_000);
  const alone = begin({ leaseMs: LONG_MS, isAlone: true });
  await alone.held('two');
  expect(alone.count).toBe(ALL);
});

test('a duty that only some workers have is shared by these, in whatever order each lists its duties', async () => {
  const without = begin({ duties: DUTIES.filter(({ name }) => name !== 'alone') });
  await without.held('one');
  const withIt = begin({ duties: DUTIES.toReversed() });
  await withIt.held('alone');
  await poll(() => shares('one')).toEqual([8, 8]);
  expect(without.holds('alone')).toBe(false);
  expect(withIt.holds('alone')).toBe(true);
});

test('many workers that come and go at once do not lock each other out', async () => {
  const many = Array.from({ length: 8 }, () => begin({ leaseMs: SHORT_MS }));
  await poll(() => shares('one')).toEqual(Array(8).fill(2));
  for (const leases of many.slice(0, 4)) await die(leases);
  await poll(() => shares('one')).toEqual(Array(4).fill(4));
});

test('a process without a lease runs no duty until it has one', async () => {
  await heldBySomebodyGone(3_600_000);
  const runs: string[] = [];
  const duties: Duty[] = DUTIES.map(({ name }) => ({
    name,
    intervalMs: 1,
    run: async () => {
      runs.push(name);
    },
  }));
  const findDue = async () => new Set<string>();
  const { id: gone } = await database.dutyWorker.findFirstOrThrow();
  const leases = begin({ leaseMs: 300 });
  const reconciler = new Reconciler(duties, { findDue, log, leases });
  await poll(() => database.dutyWorker.count()).toBe(2);
  expect(runs).toEqual([]);
  await database.dutyLease.updateMany({ where: { holder: gone }, data: { expiresAt: new Date(0) } });
  await database.dutyWorker.deleteMany({ where: { id: gone } });
  await poll(() => new Set(runs).size).toBe(DUTIES.length);
  begun.delete(leases);
  await reconciler.stop();
});

test('a lease is lost while the database does not answer', async () => {
  const leases = begin({ leaseMs: 300 });
  await leases.held('one');
  await database.$executeRaw`UPDATE duty_leases SET holder = gen_random_uuid(), expires_at = now() + interval '1 hour'`;
  await poll(() => leases.count).toBe(0);
});
