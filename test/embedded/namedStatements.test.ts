import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type EmbeddedDatabase, startPglite } from '../../embedded/pglite.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';

let database: EmbeddedDatabase;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'perdure-named-'));
  database = await startPglite({ dataDir, say: () => undefined });
});
afterAll(async () => {
  await database?.child.stop(2_000);
  rmSync(dataDir, { recursive: true, force: true });
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function named(client: pg.Client, name: string, text: string, values: unknown[]): Promise<object[]> {
  return (await client.query({ name, text, values })).rows;
}

async function inSession(client: pg.Client, word: string): Promise<string[]> {
  const { rows } = await client.query('SELECT name, statement FROM pg_prepared_statements');
  return rows.map((row) => row.statement).filter((statement) => statement.includes(word) && !statement.includes('pg_'));
}

test('each client has names of its own; a text is prepared once for all', async () => {
  const [a, b] = [await connected(), await connected()];
  for (let round = 0; round < 3; round++) {
    expect(await named(a, 'mine', 'SELECT $1::int AS own_a', [round])).toEqual([{ own_a: round }]);
    expect(await named(b, 'mine', 'SELECT $1::text AS own_b', ['b'])).toEqual([{ own_b: 'b' }]);
    expect(await named(b, 'other', 'SELECT $1::int AS own_a', [-round])).toEqual([{ own_a: 0 - round }]);
  }
  expect(await inSession(a, 'own_a')).toHaveLength(1);
  expect(await inSession(a, 'own_b')).toHaveLength(1);
});

test('many clients that prepare the same texts at once get the rows of their own values', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connected));
  const wrong = await Promise.all(
    clients.map(async (client, number) => {
      let count = 0;
      for (let i = 0; i < 60; i++) {
        const text = `SELECT $1::text AS shared_${i % 12}`;
        const [row] = await named(client, `n${i % 12}`, text, [`${number}/${i}`]);
        if (JSON.stringify(row) !== JSON.stringify({ [`shared_${i % 12}`]: `${number}/${i}` })) count += 1;
      }
      return count;
    }),
  );
  expect(wrong).toEqual(Array(8).fill(0));
  expect(await inSession(clients[0] as pg.Client, 'shared_')).toHaveLength(12);
});

test('a text that cannot be parsed is not kept; one that fails when it runs is', async () => {
  const [a, b] = [await connected(), await connected()];
  const missing = 'SELECT $1::int AS number FROM not_yet';
  await expect(named(a, 'x', missing, [1])).rejects.toMatchObject({ code: '42P01' });
  await expect(named(b, 'x', missing, [1])).rejects.toMatchObject({ code: '42P01' });
  await a.query('CREATE TABLE not_yet (id int)');
  await a.query('INSERT INTO not_yet VALUES (1)');
  expect(await named(a, 'x', missing, [1])).toEqual([{ number: 1 }]);
  expect(await named(b, 'x', missing, [2])).toEqual([{ number: 2 }]);
  const divide = 'SELECT 6 / $1::int AS quotient';
  await expect(named(a, 'divide', divide, [0])).rejects.toMatchObject({ code: '22012' });
  expect(await named(a, 'divide', divide, [2])).toEqual([{ quotient: 3 }]);
  expect(await named(b, 'divide', divide, [3])).toEqual([{ quotient: 2 }]);
});

test('a statement is closed with the last client that has it', async () => {
  const [watcher, a, b] = [await connected(), await connected(), await connected()];
  for (const client of [a, b]) await named(client, 'leaving', 'SELECT $1::int AS leaving', [1]);
  await a.end();
  expect(await named(b, 'leaving', 'SELECT $1::int AS leaving', [2])).toEqual([{ leaving: 2 }]);
  expect(await inSession(watcher, 'leaving')).toHaveLength(1);
  await b.end();
  await poll(() => inSession(watcher, 'leaving')).toEqual([]);
});

test('a client closes a name for itself alone, and may give it again', async () => {
  const [a, b] = [await connected(), await connected()];
  const text = 'SELECT $1::int AS closing';
  for (const client of [a, b]) await named(client, 'closing', text, [1]);
  await closeStatement(a, 'closing');
  expect(await named(b, 'closing', text, [2])).toEqual([{ closing: 2 }]);
  expect(await named(a, 'closing', 'SELECT $1::int + 1 AS closing', [2])).toEqual([{ closing: 3 }]);
  await expect(named(a, 'closing', text, [2])).rejects.toThrow('must be unique');
  await closeStatement(b, 'closing');
  expect(await inSession(a, 'closing')).toEqual(['SELECT $1::int + 1 AS closing']);
});

test('DISCARD ALL of one client, which empties the session, leaves new statements possible to all', async () => {
  const [a, b] = [await connected(), await connected()];
  const text = 'SELECT $1::int AS discarded';
  for (const client of [a, b]) await named(client, 'before', text, [1]);
  await a.query('DISCARD ALL');
  await expect(named(b, 'before', text, [2])).rejects.toMatchObject({ code: '26000' });
  expect(await named(b, 'after', text, [3])).toEqual([{ discarded: 3 }]);
});

/** The driver has no public call for it. */
function closeStatement(client: pg.Client, name: string): Promise<void> {
  const { connection } = client as unknown as {
    connection: NodeJS.EventEmitter & {
      parsedStatements: Record<string, string>;
      close(what: object): void;
      sync(): void;
    };
  };
  delete connection.parsedStatements[name];
  return new Promise((done) => {
    connection.once('readyForQuery', () => done());
    connection.close({ type: 'S', name });
    connection.sync();
  });
}
