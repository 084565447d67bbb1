import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { moveTraceCursor, readTraceCursors } from '../../prisma/store/trace/cursors.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { poll } from '../setup/jest/poll.ts';

const DAY_MS = 86_400_000;
const READING = { firstMs: 60_000, oldestMs: DAY_MS, longestMs: 120_000 };
const ID = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
/** PGlite has one session, so no statement of another session is open. */
const withSessions = process.env.DATABASE_URL ? test : test.skip;

let own: MigratedDatabase;
beforeAll(async () => {
  own = await startMigratedDatabase(3);
});
beforeEach(() => own.database.traceCursor.deleteMany());
afterAll(() => own?.dispose());

const now = async () => (await own.database.pool.query('SELECT now() AS now')).rows[0].now as Date;

test('the first look begins a little in the past, and continues there', async () => {
  const { database } = own;
  const { cursors } = await readTraceCursors(database, READING);
  const ago = (await now()).getTime() - cursors.executions.endedAt.getTime();
  expect(ago).toBeGreaterThanOrEqual(READING.firstMs);
  expect(ago).toBeLessThan(READING.firstMs * 2);
  const looked = await now();
  await poll(async () => (await now()).getTime()).toBeGreaterThan(looked.getTime() + 5);
  expect((await readTraceCursors(database, READING)).cursors).toEqual({
    executions: expect.objectContaining(cursors.executions),
    turns: expect.objectContaining(cursors.turns),
  });
});

test('a cursor never moves backwards, and an unused one is a day old', async () => {
  const { database } = own;
  await readTraceCursors(database, READING);
  const at = await now();
  await moveTraceCursor(database, 'turns', { endedAt: at, id: ID(5) });
  await moveTraceCursor(database, 'turns', { endedAt: at, id: ID(3) });
  await moveTraceCursor(database, 'turns', { endedAt: new Date(at.getTime() - 1), id: ID(9) });
  expect((await readTraceCursors(database, READING)).cursors.turns).toMatchObject({ endedAt: at, id: ID(5) });
  await moveTraceCursor(database, 'turns', { endedAt: at, id: ID(6) });
  expect((await readTraceCursors(database, READING)).cursors.turns).toMatchObject({ endedAt: at, id: ID(6) });

  await database.traceCursor.updateMany({ data: { endedAt: new Date(at.getTime() - 2 * DAY_MS) } });
  const { cursors } = await readTraceCursors(database, READING);
  const behindMs = (await now()).getTime() - cursors.turns.endedAt.getTime();
  expect(behindMs).toBeGreaterThanOrEqual(DAY_MS);
  expect(behindMs).toBeLessThan(DAY_MS + 60_000);
});

withSessions('an end that is not committed yet holds everything up that has ended since it began', async () => {
  const { database } = own;
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const began = (await client.query('SELECT now() AS now')).rows[0].now as Date;
    // Longer than the built-in margin.
    await poll(async () => (await now()).getTime() - began.getTime()).toBeGreaterThan(1_500);
    expect((await readTraceCursors(database, READING)).settledUntil.getTime()).toBeLessThan(began.getTime());
    // A transaction of this length is a backup, and ends no execution.
    const { settledUntil } = await readTraceCursors(database, { ...READING, longestMs: 100 });
    expect(settledUntil.getTime()).toBeGreaterThan(began.getTime());
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect((await readTraceCursors(database, READING)).settledUntil.getTime()).toBeGreaterThan(0);
});
