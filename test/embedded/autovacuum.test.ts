// test: long
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Autovacuum } from '../../embedded/autovacuum.ts';
import { type EmbeddedDatabase, startPglite } from '../../embedded/pglite.ts';
import { poll } from '../setup/jest/poll.ts';

let database: EmbeddedDatabase;
let dataDir: string;
let pool: pg.Pool;
const said: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'perdure-vacuum-'));
  database = await startPglite({ dataDir, say: () => undefined });
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  await pool.query('CREATE TABLE quiet (id int PRIMARY KEY)');
  await pool.query('CREATE TABLE "Busy one" (id int PRIMARY KEY, value int)');
  await pool.query('INSERT INTO quiet SELECT generate_series(1, 40)');
});
afterAll(async () => {
  await pool?.end();
  await database?.child.stop(2_000);
  rmSync(dataDir, { recursive: true, force: true });
});

const say = (text: string) => said.push(text);
const once = () => new Autovacuum({ url: database.url, everyMs: 0, say });

async function deadRows(): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `SELECT n_dead_tup::int AS dead FROM pg_stat_user_tables WHERE relname = 'Busy one'`,
  );
  return rows[0].dead;
}

test('a pass analyzes the tables that have grown, vacuums those with dead rows, and leaves the others', async () => {
  expect(await once().pass()).toEqual([]);
  await pool.query('INSERT INTO "Busy one" SELECT n, 0 FROM generate_series(1, 900) n');
  expect(await once().pass()).toEqual(['ANALYZE public."Busy one"']);
  expect(await once().pass()).toEqual([]);
  for (let round = 0; round < 3; round++) await pool.query('UPDATE "Busy one" SET value = value + 1 WHERE id <= 200');
  expect(await deadRows()).toBeGreaterThan(0);
  expect(await once().pass()).toEqual(['VACUUM (ANALYZE) public."Busy one"']);
  expect(await deadRows()).toBe(0);
});

test('a plan that was prepared while a table was empty is made again when it has grown', async () => {
  await pool.query('CREATE TABLE growing (id int, value int)');
  await pool.query('CREATE INDEX growing_value_idx ON growing (value)');
  await pool.query('ANALYZE growing');
  const client = await pool.connect();
  try {
    const read = { name: 'growing', text: 'SELECT id FROM growing WHERE value = $1', values: [7] };
    for (let use = 0; use < 7; use++) await client.query(read);
    await client.query('INSERT INTO growing SELECT n, n FROM generate_series(1, 50000) n');
    await once().pass();
    const { rows } = await client.query({ text: `EXPLAIN EXECUTE ${await sessionName(client)}(7)` });
    expect(JSON.stringify(rows)).toContain('growing_value_idx');
  } finally {
    client.release();
  }
});

async function sessionName(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query(
    `SELECT name FROM pg_prepared_statements WHERE statement LIKE 'SELECT id FROM growing%'`,
  );
  return rows[0].name;
}

test('passes run by themselves until the stop; a failed pass is reported, and the next one runs', async () => {
  const autovacuum = new Autovacuum({ url: database.url, everyMs: 20, say });
  await pool.query('UPDATE "Busy one" SET value = 0');
  await poll(deadRows).toBe(0);
  await autovacuum.stop();
  await pool.query('UPDATE "Busy one" SET value = 1');
  expect(await deadRows()).toBeGreaterThan(0);
  const nowhere = new Autovacuum({ url: 'postgresql://nobody@127.0.0.1:1/nothing', everyMs: 20, say });
  await poll(() => said.length).toBeGreaterThan(1);
  await nowhere.stop();
  expect(said[0]).toContain('could not vacuum the embedded database');
});
