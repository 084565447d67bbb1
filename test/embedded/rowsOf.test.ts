// test: pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { isUniqueViolation } from '../../prisma/databaseErrors.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { loggedError } from '../../prisma/loggedError.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';

let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  own = await startDatabase();
  database = createDatabase(own.url, 2);
});
afterAll(async () => {
  await database?.close();
  await own?.dispose();
});

test('values come as $queryRaw gives them', async () => {
  const nested = { text: 'ä"\\', list: [1.5, null, true, { deep: 'x'.repeat(100_000) }] };
  const statement = Prisma.sql`
    SELECT ${7}::int AS int, ${`it's`}::text AS text, ${null}::text AS nothing, ${true}::boolean AS boolean,
      ${['a', 'b,"c']}::text[] AS texts, ${JSON.stringify(nested)}::jsonb AS json, 'null'::jsonb AS "jsonNull",
      ${'00000000-0000-4000-8000-000000000000'}::uuid AS uuid, floor(2.5) AS "ofNumeric" WHERE ${Prisma.sql`${1} = 1`}`;
  const [straight] = await rowsOf(database, statement);
  const [prismas] = await database.$queryRaw<{ ofNumeric: unknown }[]>(statement);
  expect(straight).toEqual({ ...prismas, ofNumeric: '2' });
  expect(straight).toMatchObject({ int: 7, texts: ['a', 'b,"c'], json: nested, jsonNull: null, nothing: null });
});

test('values that the database quotes are not logged', async () => {
  const wrong = rowsOf(database, Prisma.sql`SELECT ${'{"password": "hunter2'}::jsonb`);
  const error = await wrong.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'DatabaseError', code: '22P02' });
  const logged = loggedError(error);
  expect(logged).toMatchObject({ type: 'DatabaseError', sqlState: '22P02' });
  expect(JSON.stringify(logged)).not.toContain('hunter2');
});

test('both clients recognise a unique violation', async () => {
  await database.$executeRaw`CREATE TABLE sole (id int PRIMARY KEY)`;
  const statement = Prisma.sql`INSERT INTO sole VALUES (1) RETURNING id`;
  await rowsOf(database, statement);
  const failed = await Promise.allSettled([rowsOf(database, statement), database.$queryRaw(statement)]);
  expect(failed.map((each) => each.status === 'rejected' && isUniqueViolation(each.reason))).toEqual([true, true]);
  const [other] = await Promise.allSettled([rowsOf(database, Prisma.sql`SELECT 1 / 0`)]);
  expect(other?.status === 'rejected' && isUniqueViolation(other.reason)).toBe(false);
});

test('both ways share one pool: a closed database has no connections', async () => {
  const other = createDatabase(own.url, 1);
  await rowsOf(other, Prisma.sql`SELECT 1`);
  await other.$queryRaw`SELECT 1`;
  expect(other.pool.totalCount).toBe(1);
  await other.close();
  expect(other.pool.totalCount).toBe(0);
});
