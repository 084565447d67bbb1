// test: pglite
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { ChangedMigration, MIGRATIONS, migrate, missingMigrations } from '../../prisma/migrate.ts';
import { type OwnDatabase, startDatabase } from '../setup/database/ownDatabase.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';

let database: OwnDatabase;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  database = await startDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.dispose();
});
beforeEach(async () => {
  await client.query('DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS knowledge CASCADE; CREATE SCHEMA public');
  folder = mkdtempSync(join(tmpdir(), 'perdure-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await client.query(sql)).rows;
}

test('an empty database gets all, a second run does nothing', async () => {
  const all = await migrate(database.url);
  expect(all[0]).toBe('20261121000000_foundation');
  expect(await migrate(database.url)).toEqual([]);
  expect(await rows('SELECT count(*)::int AS n FROM executions')).toEqual([{ n: 0 }]);
});

test('the record is the one of prisma migrate deploy', async () => {
  await migrate(database.url);
  const [row] = await rows('SELECT * FROM _prisma_migrations');
  expect(row).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    migration_name: '20261121000000_foundation',
    logs: null,
    rolled_back_at: null,
    applied_steps_count: 1,
  });
  expect(row?.finished_at).toBeInstanceOf(Date);
});

test('new migrations are applied in the order of their names', async () => {
  write('1_first', 'CREATE TABLE sample (a int)');
  expect(await migrate(database.url, folder)).toEqual(['1_first']);
  write('3_third', 'ALTER TABLE sample RENAME COLUMN b TO c');
  write('2_second', 'ALTER TABLE sample RENAME COLUMN a TO b');
  expect(await migrate(database.url, folder)).toEqual(['2_second', '3_third']);
});

test('a failed migration leaves nothing behind, and the ones before it stay', async () => {
  write('1_first', 'CREATE TABLE sample (a int)');
  write('2_second', 'CREATE TABLE other (a int); INSERT INTO nowhere VALUES (1)');
  await expect(migrate(database.url, folder)).rejects.toThrow(/2_second failed: relation "nowhere" does not exist/);
  expect(await rows("SELECT to_regclass('other') AS other, to_regclass('sample')::text AS sample")).toEqual([
    { other: null, sample: 'sample' },
  ]);
  write('2_second', 'CREATE TABLE other (a int)');
  expect(await migrate(database.url, folder)).toEqual(['2_second']);
});

test('a migration that was changed after it was applied is an error', async () => {
  cpSync(MIGRATIONS, folder, { recursive: true });
  await migrate(database.url, folder);
  write('20261121000000_foundation', 'SELECT 1');
  await expect(migrate(database.url, folder)).rejects.toThrow(ChangedMigration);
  await expect(migrate(database.url, folder)).rejects.toThrow(
    /with another version of 20261121000000_foundation.*create the database again/,
  );
});

test('a database from before the migrations were joined gets the same error', async () => {
  write('20261121000000_foundation', 'SELECT 1');
  write('20261121000200_webhook_deliveries', 'SELECT 1');
  await migrate(database.url, folder);
  await expect(migrate(database.url)).rejects.toThrow(ChangedMigration);
});

test('a database of a newer version is an error', async () => {
  write('1_first', 'SELECT 1');
  write('2_second', 'SELECT 1');
  await migrate(database.url, folder);
  rmSync(join(folder, '2_second'), { recursive: true });
  await expect(migrate(database.url, folder)).rejects.toThrow(/2_second, which this version does not know/);
});

test('each migration is applied by one of several simultaneous processes', async () => {
  write('1_first', 'CREATE TABLE sample (a int)');
  write('2_second', 'CREATE TABLE other (a int)');
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, folder)));
  expect(done.flat().sort()).toEqual(['1_first', '2_second']);
  expect(await rows('SELECT count(*)::int AS n FROM _prisma_migrations')).toEqual([{ n: 2 }]);
});

test('a process learns which of its migrations the database lacks; those of a newer version do not matter', async () => {
  write('1_first', 'CREATE TABLE sample (a int)');
  expect(await missingMigrations(database.url, folder)).toEqual(['1_first']);
  await migrate(database.url, folder);
  write('2_second', 'CREATE TABLE other (a int)');
  expect(await missingMigrations(database.url, folder)).toEqual(['2_second']);
  await migrate(database.url, folder);
  rmSync(join(folder, '2_second'), { recursive: true });
  expect(await missingMigrations(database.url, folder)).toEqual([]);
});
