import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { addressOf } from '../../embedded/databaseSocket.ts';
import { type EmbeddedDatabase, startPglite } from '../../embedded/pglite.ts';

let database: EmbeddedDatabase;
let dataDir: string;
let pool: pg.Pool;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'perdure-pglite-'));
  database = await startPglite({ dataDir, say: () => undefined });
  pool = new pg.Pool({ connectionString: database.url, max: 8, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => undefined);
  await pool.query('CREATE TABLE sample (id int PRIMARY KEY, body text)');
});
afterAll(async () => {
  await pool?.end();
  await database?.child.stop(2_000);
  rmSync(dataDir, { recursive: true, force: true });
});

test('has vectors', async () => {
  await pool.query('CREATE EXTENSION IF NOT EXISTS vector');
  const { rows } = await pool.query("SELECT '[1,2]'::vector <-> '[1,4]'::vector AS distance");
  expect(rows).toEqual([{ distance: 2 }]);
});

test('statements of several clients, some of several packets, are not mixed up', async () => {
  const wide = 'x'.repeat(300_000);
  const wrong = await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      let count = 0;
      for (let i = 0; i < 40; i++) {
        const own = `${wide}${client}/${i}`;
        const { rows } =
          client % 2 === 0
            ? await pool.query('SELECT $1::text AS a', [own])
            : await pool.query('SELECT $2::int AS b, $1::text AS a', [own, i]);
        if (rows.length !== 1 || rows[0].a !== own) count += 1;
      }
      return count;
    }),
  );
  expect(wrong).toEqual(Array(8).fill(0));
});

test('a client that vanishes in the middle of a statement, or of a transaction, stops nobody', async () => {
  const inTransaction = new pg.Client({ connectionString: database.url });
  inTransaction.on('error', () => undefined);
  await inTransaction.connect();
  await inTransaction.query('BEGIN');
  await inTransaction.query("INSERT INTO sample VALUES (-1, 'never')");
  (inTransaction as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

  const half = connect(addressOf(database.url));
  // Half a Parse message of 1,000 bytes.
  half.write(Buffer.from([0x50, 0, 0, 0x03, 0xe8, 0]));
  await new Promise((done) => half.once('connect', () => setTimeout(done, 50)));
  half.destroy();

  expect((await pool.query('SELECT count(*)::int AS n FROM sample WHERE id = -1')).rows).toEqual([{ n: 0 }]);
});

test('a client that vanishes after an error and before its Sync stops nobody', async () => {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  // With a number of rows `pg` sends a Flush, and its Sync after the rows.
  const statement = new pg.Query({ text: 'SELECT $1::int / 0 AS a', values: [1], rows: 1 } as pg.QueryConfig);
  await new Promise((done) => client.query(statement).once('error', done));
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  expect((await pool.query('SELECT 1 AS a')).rows).toEqual([{ a: 1 }]);
});

test('a failed statement fails alone, in a transaction and out of it', async () => {
  const client = await pool.connect();
  try {
    await expect(client.query('SELECT $1::int AS a', ['no number'])).rejects.toThrow(/invalid input syntax/);
    expect((await client.query('SELECT $1::int AS a', [1])).rows).toEqual([{ a: 1 }]);
    await client.query('BEGIN');
    await expect(client.query('SELECT $1::int / 0 AS a', [1])).rejects.toThrow(/division by zero/);
    await expect(client.query('SELECT 1')).rejects.toThrow(/current transaction is aborted/);
    await client.query('ROLLBACK');
    expect((await client.query('SELECT 1 AS a')).rows).toEqual([{ a: 1 }]);
  } finally {
    client.release();
  }
});

test('while a transaction is open, the others wait for its end', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query("INSERT INTO sample VALUES (-2, 'later')");
  const seen = pool.query('SELECT count(*)::int AS n FROM sample WHERE id = -2');
  await client.query('COMMIT');
  client.release();
  expect((await seen).rows).toEqual([{ n: 1 }]);
});

test('a listener receives notifications in order, between answers of any size; other connections receive none', async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const heard: string[] = [];
  const all = new Promise<void>((done) => {
    listener.on('notification', ({ channel, payload }) => {
      heard.push(`${channel} ${payload}`);
      if (heard.length === 41) done();
    });
  });
  await listener.query('LISTEN sample_changed');
  const expected: string[] = [];
  for (let n = 0; n < 40; n += 1) {
    expected.push(`sample_changed ${n}`);
    await pool.query("SELECT pg_notify('sample_changed', $1), pg_notify('sample_other', 'x'), repeat('x', $2::int)", [
      String(n),
      n * 10_000,
    ]);
  }
  await listener.query("SELECT pg_notify('sample_changed', 'own')");
  await all;
  expect(heard).toEqual([...expected, 'sample_changed own']);
  await listener.end();
  await pool.query("SELECT pg_notify('sample_changed', 'nobody')");
});

test('kill -9 in the middle of writes loses nothing that was acknowledged', async () => {
  const acknowledged: number[] = [];
  const first = database.child.pid() ?? 0;
  let next = 0;
  let isBroken = false;
  let isKilled = false;
  const writers = Array.from({ length: 4 }, async () => {
    while (!isBroken) {
      const id = next++;
      try {
        await pool.query('INSERT INTO sample VALUES ($1, $2)', [id, 'y'.repeat(200)]);
        acknowledged.push(id);
      } catch {
        isBroken = true;
      }
      if (acknowledged.length >= 300 && !isKilled) {
        isKilled = true;
        process.kill(first, 'SIGKILL');
      }
    }
  });
  await Promise.all(writers);
  expect(acknowledged.length).toBeGreaterThanOrEqual(300);

  const { rows } = await untilAnswers(() => pool.query('SELECT id FROM sample WHERE id >= 0'));
  const kept = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  expect(database.child.pid()).not.toBe(first);
});

async function untilAnswers<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
