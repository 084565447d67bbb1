// test: pglite
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../prisma/client.ts';
import { Prisma } from '../../prisma/generated/client.ts';
import { plannedByValue } from '../../prisma/preparedStatements.ts';
import { rowsOf } from '../../prisma/rowsOf.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await startDatabase();
});
afterAll(() => own?.dispose());

/** Uses one connection, so that a test sees what it has prepared. */
function oneConnection(preparedStatements?: number): Database {
  const database = createDatabase(own.url, 1, preparedStatements === undefined ? {} : { preparedStatements });
  onTestFinished(() => database.close());
  return database;
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let use = 0; use < count; use++) await work();
}

async function prepared(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
  return rows.map(({ statement }) => statement).sort();
}

const one = (value: number) => Prisma.sql`SELECT ${value}::int AS one`;
const two = (value: number) => Prisma.sql`SELECT ${value}::int AS two`;

test('a connection prepares a statement at its fifth use, through the driver and through Prisma', async () => {
  const database = oneConnection();
  await times(4, () => rowsOf(database, one(1)));
  await times(4, () => database.$queryRaw(two(1)));
  expect(await prepared(database)).toEqual([]);
  expect(await rowsOf(database, one(7))).toEqual([{ one: 7 }]);
  expect(await database.$queryRaw(two(8))).toEqual([{ two: 8 }]);
  expect(await prepared(database)).toEqual(['SELECT $1::int AS one', 'SELECT $1::int AS two']);
  expect(await rowsOf(database, one(9))).toEqual([{ one: 9 }]);
});

test('at most the limit of statements is prepared, none with 0, and the others work too', async () => {
  for (const limit of [0, 2]) {
    const database = oneConnection(limit);
    const alias = `limit${limit}`;
    const statements = [1, 2, 3].map(
      (number) => Prisma.sql`SELECT ${number}::int AS ${Prisma.raw(alias)}, ${Prisma.raw(`${number}`)}`,
    );
    for (const statement of statements) await times(6, () => rowsOf(database, statement));
    expect(await rowsOf(database, statements[2] as Prisma.Sql)).toMatchObject([{ [alias]: 3 }]);
    // The embedded database shows the statements of all connections.
    expect((await prepared(database)).filter((text) => text.includes(alias))).toHaveLength(limit);
  }
});

test('a statement with a condition that is planned by its values is never prepared', async () => {
  const database = oneConnection();
  const rare = (text: string) =>
    Prisma.sql`SELECT 1 AS filtered WHERE ${plannedByValue(Prisma.sql`'abc' ILIKE ${text}`)}`;
  await times(7, () => rowsOf(database, rare('%b%')));
  expect(await rowsOf(database, rare('%z%'))).toEqual([]);
  expect((await prepared(database)).filter((text) => text.includes('filtered'))).toEqual([]);
});

test('several statements in one text, without values, are never prepared', async () => {
  const database = oneConnection();
  await times(7, () => database.$executeRawUnsafe('SELECT 1; SELECT 2'));
  expect(await prepared(database)).toEqual([]);
});

test('a statement whose connection lost it, or whose columns a migration changed, runs without a name', async () => {
  const database = oneConnection();
  await database.$executeRawUnsafe('CREATE TABLE changing (id int, value int)');
  await database.$executeRawUnsafe('INSERT INTO changing VALUES (1, 5)');
  const lost = Prisma.sql`SELECT id FROM changing WHERE id = ${1}`;
  const changed = Prisma.sql`SELECT * FROM changing WHERE id = ${1}`;
  await times(6, () => rowsOf(database, lost));
  await database.$executeRawUnsafe('DEALLOCATE ALL');
  expect(await rowsOf(database, lost)).toEqual([{ id: 1 }]);
  await times(6, () => rowsOf(database, changed));
  await database.$executeRawUnsafe('ALTER TABLE changing ALTER COLUMN value TYPE text');
  expect(await rowsOf(database, changed)).toEqual([{ id: 1, value: '5' }]);
  expect(await rowsOf(database, lost)).toEqual([{ id: 1 }]);
});

test('an error of the data comes through as it is, and the statement stays prepared', async () => {
  const database = oneConnection();
  const divide = (by: number) => Prisma.sql`SELECT 10 / ${by}::int AS result`;
  await times(6, () => rowsOf(database, divide(2)));
  await expect(rowsOf(database, divide(0))).rejects.toMatchObject({ code: '22012' });
  await times(2, () => rowsOf(database, divide(2)));
  expect(await rowsOf(database, divide(5))).toEqual([{ result: 2 }]);
});
