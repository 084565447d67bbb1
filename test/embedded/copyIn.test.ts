import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { socketFile, socketUrl } from '../../embedded/databaseSocket.ts';
import { PgliteSocket } from '../../embedded/pgliteSocket.ts';

// Without rows, a COPY … FROM STDIN statement would kill PGlite.

const MAX_BYTES = 3_000_000;

let folder: string;
let db: PGlite;
let socket: PgliteSocket;
let client: pg.Client;
let failure: unknown;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-copy-'));
  db = await PGlite.create();
  const onFailure = (error: unknown) => {
    failure = error;
  };
  socket = new PgliteSocket({ db, onFailure, copyBytes: MAX_BYTES });
  await socket.listen({ path: socketFile(folder) });
  client = await connected();
  await client.query('CREATE TABLE copied (id int PRIMARY KEY, body text)');
});
afterAll(async () => {
  await client?.end();
  await socket?.stop();
  await db?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await client.query('TRUNCATE copied');
});

async function connected(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: socketUrl(folder) });
  await made.connect();
  return made;
}

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(rows: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

function copyInto(into: pg.Client, text: string, rows: readonly string[], fails?: string): Promise<string> {
  return new Promise((done, fail) => {
    let tag = '';
    into.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        for (const row of rows) connection.sendCopyFromChunk(Buffer.from(row));
        if (fails === undefined) connection.endCopyFrom();
        else connection.sendCopyFail(fails);
      },
      handleCommandComplete(message: { text: string }) {
        tag = message.text;
      },
      handleError: fail,
      handleReadyForQuery: () => done(tag),
    } as unknown as pg.Query);
  });
}

const countOf = async (from = client) => (await from.query('SELECT count(*)::int AS n FROM copied')).rows[0].n;

test('rows of many messages are written by one COPY, while others work', async () => {
  const rows = Array.from({ length: 50 }, (_, message) =>
    Array.from({ length: 1_000 }, (__, n) => `${message * 1_000 + n}\tbody of ${n}\n`).join(''),
  );
  const other = await connected();
  const beside = Promise.all(Array.from({ length: 20 }, (_, n) => other.query('SELECT $1::int AS n', [n])));
  expect(await copyInto(client, 'COPY copied (id, body) FROM STDIN', rows)).toBe('COPY 50000');
  expect((await beside).map(({ rows: [row] }) => row.n)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(await countOf(other)).toBe(50_000);
  await other.end();
});

test('it is part of a transaction', async () => {
  await client.query('BEGIN');
  expect(await copyInto(client, '-- rows\ncopy "copied" from stdin with (format csv);', ['1,a\n', '2,"b;c"\n'])).toBe(
    'COPY 2',
  );
  expect(await countOf()).toBe(2);
  await client.query('ROLLBACK');
  expect(await countOf()).toBe(0);
});

test.each([
  ['a row that is none', 'COPY copied FROM STDIN', ['x\ty\n'], undefined, '22P02'],
  ['a table that is not there', 'COPY nowhere FROM STDIN', ['1\ty\n'], undefined, '42P01'],
  ['a client that gives up', 'COPY copied FROM STDIN', ['1\ty\n'], 'enough', '57014'],
  ['more than is taken', 'COPY copied FROM STDIN', ['1\t', 'y'.repeat(MAX_BYTES), '\n'], undefined, '57014'],
])('%s is an error of the statement, and the connection continues', async (_, text, rows, fails, code) => {
  await expect(copyInto(client, text, rows, fails)).rejects.toMatchObject({ code });
  expect(await countOf()).toBe(0);
});

test('it is rejected if the rows cannot be passed on, and the connection continues', async () => {
  const refused = { code: '0A000', message: expect.stringContaining('COPY FROM STDIN must be the only statement') };
  await expect(client.query('SELECT 1; COPY copied FROM STDIN')).rejects.toMatchObject(refused);
  await expect(client.query({ name: 'copy', text: 'COPY copied FROM STDIN', values: [] })).rejects.toMatchObject(
    refused,
  );
  expect(await countOf()).toBe(0);
});

test('a text with the words is not a COPY, and COPY … TO STDOUT is unchanged', async () => {
  const words = 'COPY copied FROM STDIN';
  expect((await client.query(`SELECT '; ${words}' AS a /* ; ${words} */`)).rows).toEqual([{ a: `; ${words}` }]);
  expect((await client.query('SELECT $1::text AS a', [words])).rows).toEqual([{ a: words }]);
  await client.query("INSERT INTO copied VALUES (1, 'a')");
  expect((await client.query('COPY copied TO STDOUT')).command).toBe('COPY');
});

test('a client that vanishes before its rows are whole stops nobody', async () => {
  const vanishing = await connected();
  vanishing.on('error', () => undefined);
  const asked = new Promise<void>((done) => {
    vanishing.query({
      submit: (connection: CopyConnection) => connection.query('COPY copied FROM STDIN'),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from('1\ta\n'));
        done();
      },
      handleError: () => undefined,
    } as unknown as pg.Query);
  });
  await asked;
  (vanishing as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  expect(await countOf()).toBe(0);
  expect(failure).toBeUndefined();
});
