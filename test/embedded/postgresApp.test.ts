// test: pglite
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionResult } from '../../activities/apps/executor.ts';
import { buildPostgres } from '../../activities/apps/postgres/statementActions.ts';
import { runExecutor } from '../../activities/apps/runExecutor.ts';
import type { JsonObject } from '../../domain/json.ts';
import { credentialsOf } from '../setup/database/databaseCredentials.ts';
import { type OwnDatabase, startTcpDatabase } from '../setup/database/ownDatabase.ts';

const SETTINGS = { allowedPrivateHosts: ['127.0.0.1'], maxRows: 5_000, maxOutputBytes: 200_000, maxClients: 2 };
const { query, execute } = buildPostgres(SETTINGS);

let database: OwnDatabase;
let credentials: Record<string, string>;
beforeAll(async () => {
  database = await startTcpDatabase();
  credentials = credentialsOf(database.url);
}, 90_000);
afterAll(() => database?.dispose());

const run = (executor: typeof query, sql: string, parameters: JsonObject['x'][] = [], more: JsonObject = {}) =>
  runExecutor(executor, { sql, parameters, ...more } as JsonObject, { connection: { type: 'custom', credentials } });
const rowsOf = async (sql: string, ...parameters: JsonObject['x'][]) =>
  outputOf(await run(query, sql, parameters)).rows;
const done = async (sql: string, ...parameters: JsonObject['x'][]) => outputOf(await run(execute, sql, parameters));

function outputOf(result: ActionResult): JsonObject {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.output as JsonObject;
}

describe('a value', () => {
  it.each([
    ["'2026-11-21 10:15:30.5+01'::timestamptz", '2026-11-21T09:15:30.500Z'],
    ["'2026-11-21 10:15:30.123456'::timestamptz AT TIME ZONE 'UTC'", '2026-11-21T10:15:30.123456'],
    ["'infinity'::timestamptz", 'infinity'],
    ["'2026-11-21'::date", '2026-11-21'],
    ["'10:15'::time", '10:15:00'],
    ["'1 day 2 hours'::interval", 'P1DT2H'],
    ['9007199254740993::bigint', '9007199254740993'],
    ['0.1::numeric + 0.2', '0.3'],
    ['count(*)::int', 1],
    ['1.5::float8', 1.5],
    ["'NaN'::float8", 'NaN'],
    ['true', true],
    ['null::int', null],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    ["'\\xdeadbeef'::bytea", '3q2+7w=='],
    ["ARRAY['a', null, 'b,\"']", ['a', null, 'b,"']],
    [
      'ARRAY[[1,2],[3,4]]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["ARRAY['2026-11-21 00:00:00+00'::timestamptz]", ['2026-11-21T00:00:00.000Z']],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ])('%s is %j', async (sql, value) => {
    expect(await rowsOf(`SELECT ${sql} AS it`)).toEqual([{ it: value }]);
  });
});

describe('a parameter', () => {
  it.each([["'; DROP TABLE people; --"], ['"quoted" \\ $1 {{ x }}']])(
    'is bound, never a part of the statement: %j',
    async (text) => {
      expect(await rowsOf('SELECT $1::text AS it', text)).toEqual([{ it: text }]);
    },
  );

  it('may be a number, a list, an object, true or nothing', async () => {
    expect(
      await rowsOf(
        'SELECT $1::int AS n, 2 = ANY($2::int[]) AS l, $3::jsonb AS o, $4::boolean AS b, $5::text AS e',
        7,
        [1, 2],
        { a: [1] },
        true,
        null,
      ),
    ).toEqual([{ n: 7, l: true, o: { a: [1] }, b: true, e: null }]);
  });

  it('that is missing is the server to tell', async () => {
    expect(await run(query, 'SELECT $1::int')).toMatchObject({ failure: { code: '08P01', retryable: false } });
  });
});

describe('query', () => {
  it('returns rows, fields and whether there were more', async () => {
    expect(outputOf(await run(query, 'SELECT n, n::text AS t FROM generate_series(1, 3) n', [], { limit: 2 }))).toEqual(
      {
        rows: [
          { n: 1, t: '1' },
          { n: 2, t: '2' },
        ],
        rowCount: 2,
        fields: [
          { name: 'n', type: 'int4' },
          { name: 't', type: 'text' },
        ],
        truncated: true,
      },
    );
    expect(outputOf(await run(query, 'SELECT 1 AS n', [], { limit: 1 }))).toMatchObject({
      rowCount: 1,
      truncated: false,
    });
    expect(outputOf(await run(query, 'SELECT 1 AS n WHERE false'))).toMatchObject({ rows: [], rowCount: 0 });
  });

  it('returns 1,000 rows by default, and never more than the setting', async () => {
    const many = 'SELECT n FROM generate_series(1, 100000) n';
    expect(outputOf(await run(query, many))).toMatchObject({ rowCount: 1_000, truncated: true });
    expect(outputOf(await run(query, many, [], { limit: 50_000 }))).toMatchObject({ rowCount: 5_000, truncated: true });
  });

  it('has at most the bytes of the setting', async () => {
    expect(await run(query, "SELECT repeat('x', 300000) AS x")).toMatchObject({
      failure: { code: 'POSTGRES_RESULT_TOO_LARGE', retryable: false },
    });
  });

  it.each([
    ['CREATE TABLE written (id int)'],
    ['INSERT INTO kept VALUES (1)'],
    ["DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true); INSERT INTO kept VALUES (1); END $$"],
    ["SELECT set_config('transaction_read_only', 'off', true), setval('kept_id', 7)"],
    ["SELECT nextval('kept_id')"],
  ])('writes nothing: %s', async (sql) => {
    await done('CREATE TABLE IF NOT EXISTS kept (id int)');
    await done('CREATE SEQUENCE IF NOT EXISTS kept_id');
    expect(await run(query, sql)).toMatchObject({
      ok: false,
      // Either read-only, or it can no longer be made writable.
      failure: { code: expect.stringMatching(/^2500[16]$/), retryable: false },
    });
    expect(await rowsOf('SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 0 }]);
  });

  it('takes one statement', async () => {
    expect(await run(query, 'SELECT 1; SELECT 2')).toMatchObject({ failure: { code: '42601' } });
  });

  it.each([['SET TRANSACTION READ WRITE'], ['COMMIT'], ['ROLLBACK']])('%s leaves nothing behind', async (sql) => {
    await run(query, sql);
    expect(await run(query, 'CREATE TABLE left_behind (id int)')).toMatchObject({ failure: { code: '25006' } });
  });

  // COPY FROM STDIN kills PGlite, and its parent restarts it.
  const copiesIn = process.env.DATABASE_URL ? [['COPY kept FROM STDIN']] : [];
  it.each([['COPY (SELECT 1) TO STDOUT'], ['LISTEN x'], [''], ...copiesIn])('%j harms nobody', async (sql) => {
    await run(query, sql);
    await run(execute, sql);
    expect(await rowsOf('SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('keeps columns of the name __proto__ and of the same name', async () => {
    const [row] = (await rowsOf('SELECT 1 AS "__proto__", 2 AS a, 3 AS a')) as object[];
    expect(JSON.stringify(row)).toBe('{"__proto__":1,"a":3}');
  });
});

describe('execute', () => {
  it('writes, and returns the number of changed rows', async () => {
    await done('CREATE TABLE written_rows (id int PRIMARY KEY, name text)');
    const insert = 'INSERT INTO written_rows SELECT n, $1 FROM generate_series(1, 5) n';
    expect(await done(insert, 'x')).toEqual({ rows: [], rowCount: 5, fields: [], truncated: false });
    const update = await run(execute, 'UPDATE written_rows SET name = $1 RETURNING id', ['y'], { limit: 2 });
    expect(outputOf(update)).toMatchObject({ rows: [{ id: 1 }, { id: 2 }], rowCount: 5, truncated: true });
    expect(await rowsOf('SELECT DISTINCT name FROM written_rows')).toEqual([{ name: 'y' }]);
  });

  it('is done wholly or not at all', async () => {
    await done('CREATE TABLE whole (id int PRIMARY KEY)');
    expect(await run(execute, 'INSERT INTO whole VALUES (1), (2), (1)')).toMatchObject({
      failure: { code: '23505', retryable: false, message: expect.stringContaining('whole_pkey') },
    });
    const large = "INSERT INTO whole SELECT n FROM generate_series(1, 3) n RETURNING repeat('x', 100000)";
    expect(await run(execute, large)).toMatchObject({ failure: { code: 'POSTGRES_RESULT_TOO_LARGE' } });
    expect(await rowsOf('SELECT * FROM whole')).toEqual([]);
  });

  it('reports a constraint that is checked at the end', async () => {
    await done('CREATE TABLE ends (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    expect(await run(execute, 'INSERT INTO ends VALUES (1), (1)')).toMatchObject({ failure: { code: '23505' } });
  });
});

it.each([
  ['SELECT nothing', '42703', /at character 8/],
  ['SELEC 1', '42601', /syntax error/],
  ['SELECT 1/0', '22012', /division by zero/],
])('%s fails with its SQLSTATE', async (sql, code, message) => {
  expect(await run(query, sql)).toMatchObject({
    failure: { code, retryable: false, message: expect.stringMatching(message) },
  });
});

it.each([
  ['40001', true],
  ['40P01', true],
  ['53300', true],
  ['57P01', true],
  ['57P04', false],
  ['57014', false],
  ['P0001', false],
])('%s is retryable: %s', async (state, retryable) => {
  const raise = `DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '${state}'; END $$`;
  expect(await run(query, raise)).toMatchObject({ failure: { code: state, retryable } });
});

it('a message never holds the password', async () => {
  const sql = `DO $$ BEGIN RAISE EXCEPTION 'the password is ${credentials.password}'; END $$`;
  const result = await run(query, sql);
  expect(result).toMatchObject({ failure: { message: 'the password is ***' } });
});
