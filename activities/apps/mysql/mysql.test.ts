import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { outputProblems } from '../../../test/setup/api/outputProblems.ts';
import { onTestFinished } from '../../../test/setup/jest/onTestFinished.ts';
import { MARIADB, type MariaDb, startMariaDb } from '../../../test/setup/providers/mariadb.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';
import { runExecutor } from '../runExecutor.ts';
import { MYSQL } from './manifest.ts';
import { buildMySql } from './statementActions.ts';

const SETTINGS = { allowedPrivateHosts: ['127.0.0.1'], maxMySqlRows: 100, maxOutputBytes: 200_000, maxMySqlClients: 2 };

async function run(
  actionId: 'query' | 'execute',
  inputs: JsonObject,
  credentials: Record<string, string>,
  { signal, ...settings }: Partial<typeof SETTINGS> & { signal?: AbortSignal } = {},
) {
  const connection = { type: 'custom', credentials };
  const executor = buildMySql({ ...SETTINGS, ...settings })[actionId];
  const result = await runExecutor(executor, inputs, { connection, ...(signal ? { signal } : {}) });
  const manifest = MYSQL.actions.find((each) => each.actionId === actionId);
  if (result.ok && manifest) expect(outputProblems(manifest, result.output)).toEqual([]);
  expect(JSON.stringify(result)).not.toContain('secret-word-1');
  return result;
}

(MARIADB === undefined ? describe.skip : describe)('on MariaDB', () => {
  let server: MariaDb;
  const query = (sql: string, parameters: Json[] = [], more: JsonObject = {}) =>
    run('query', { sql, parameters, ...more }, server.credentials);
  const execute = (sql: string, parameters: Json[] = []) => run('execute', { sql, parameters }, server.credentials);
  const rowsOf = async (sql: string, parameters: Json[] = []) => {
    const result = await query(sql, parameters);
    if (!result.ok) throw new Error(JSON.stringify(result.failure));
    return (result.output as { rows: JsonObject[] }).rows;
  };

  beforeAll(async () => {
    server = await startMariaDb(MARIADB ?? '');
    await execute('CREATE TABLE people (id INT PRIMARY KEY AUTO_INCREMENT, name TEXT, mail VARCHAR(99) UNIQUE)');
    await execute("INSERT INTO people (id, name) VALUES (17, 'Ada')");
  }, 120_000);
  afterAll(() => server?.stop());

  it('returns the examples of the catalogue', async () => {
    const [read, write] = MYSQL.actions;
    const example = await query('SELECT id, name FROM people WHERE id = ?', [17]);
    expect(example).toMatchObject({ ok: true, output: { rows: [{ id: 17, name: 'Ada' }], rowCount: 1 } });
    expect(read?.outputExample).toMatchObject({ rows: [{ id: 17, name: 'Ada' }], truncated: false });
    const inserted = await execute("INSERT INTO people (name, mail) VALUES ('Grace', 'g')");
    expect(inserted).toEqual({ ok: true, output: write?.outputExample });
    expect(await execute("DELETE FROM people WHERE name = 'Grace'")).toMatchObject({
      output: { rowCount: 1, insertId: null },
    });
  });

  it('keeps numbers exact, and writes times in ISO 8601', async () => {
    const rows =
      await rowsOf(`SELECT 9007199254740993 AS big, CAST(0.1 AS DECIMAL(5,2)) AS exact, 1.5e0 AS near, 7 AS small,
      TIMESTAMP'2026-11-21 10:15:30.5' AS at, DATE'2026-11-21' AS day, TIME'10:15:30' AS clock, X'00ff' AS bytes,
      NULL AS nothing, 'Größe ✓' AS text, TRUE AS yes`);
    expect(rows).toEqual([
      {
        ...{ big: '9007199254740993', exact: '0.10', near: 1.5, small: 7, at: '2026-11-21T10:15:30.500' },
        ...{ day: '2026-11-21', clock: '10:15:30', bytes: 'AP8=', nothing: null, text: 'Größe ✓', yes: 1 },
      },
    ]);
    await execute('CREATE TABLE moments (at TIMESTAMP(6) NULL, doc JSON)');
    await execute('INSERT INTO moments VALUES (?, ?)', ['2026-11-21 10:15:30.123456', { a: [1, 'x'] }]);
    expect(await rowsOf('SELECT at FROM moments')).toEqual([{ at: '2026-11-21T10:15:30.123456Z' }]);
    expect(await rowsOf("SELECT JSON_VALUE(doc, '$.a[1]') AS x FROM moments")).toEqual([{ x: 'x' }]);
  });

  it('binds parameters, also for LIMIT, and never reads them as SQL', async () => {
    const text = "x'; DROP TABLE people; -- \\";
    expect(await rowsOf('SELECT ? AS a, ? AS b, ? AS c, ? AS d', [text, null, true, 1.5])).toEqual([
      { a: text, b: null, c: 1, d: 1.5 },
    ]);
    expect(await rowsOf('SELECT id FROM people LIMIT ?', [1])).toEqual([{ id: 17 }]);
  });

  it('keeps columns of the name __proto__', async () => {
    const [row = {}] = await rowsOf('SELECT 1 AS `__proto__`, 2 AS b');
    expect(Object.entries(row)).toEqual([
      ['__proto__', 1],
      ['b', 2],
    ]);
  });

  it('stops at the limit of rows, at the most rows of the operator, and at the bytes', async () => {
    expect(await query('SELECT seq FROM seq_1_to_1000', [], { limit: 3 })).toMatchObject({
      output: { rowCount: 3, truncated: true },
    });
    expect(await query('SELECT seq FROM seq_1_to_3', [], { limit: 3 })).toMatchObject({ output: { truncated: false } });
    expect(await query('SELECT seq FROM seq_1_to_1000')).toMatchObject({ output: { rowCount: 100, truncated: true } });
    expect(await query("SELECT REPEAT('x', 10000) AS x FROM seq_1_to_90")).toMatchObject({
      failure: { code: 'MYSQL_RESULT_TOO_LARGE', retryable: false },
    });
  });

  it.each([
    'INSERT INTO people (id) VALUES (99)',
    'DROP TABLE people',
    'COMMIT',
    'SET SESSION TRANSACTION READ WRITE',
    'BEGIN NOT ATOMIC COMMIT; INSERT INTO people (id) VALUES (99); END',
  ])('query writes nothing: %s', async (sql) => {
    await query(sql);
    expect(await rowsOf('SELECT id FROM people')).toEqual([{ id: 17 }]);
  });

  it('takes one statement, and reads no file of the worker', async () => {
    expect(await execute('SELECT 1; DELETE FROM people')).toMatchObject({ failure: { code: 'ER_PARSE_ERROR' } });
    const file = await execute("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE people (name)");
    expect(file).toMatchObject({ ok: false });
    expect(await rowsOf('SELECT id FROM people')).toEqual([{ id: 17 }]);
  });

  it('fails with the code of the server', async () => {
    await execute("INSERT INTO people (id, mail) VALUES (18, 'a')");
    expect(await execute("INSERT INTO people (mail) VALUES ('a')")).toMatchObject({
      failure: { code: 'ER_DUP_ENTRY', retryable: false, details: { sqlState: '23000' } },
    });
    await execute('DELETE FROM people WHERE id = 18');
    expect(await query('SELEC 1')).toMatchObject({ failure: { code: 'ER_PARSE_ERROR' } });
    const wrong = await run('query', { sql: 'SELECT 1' }, { ...server.credentials, password: 'other' });
    expect(wrong).toMatchObject({ failure: { code: 'ER_ACCESS_DENIED_ERROR' } });
  });

  it('cancels the statement on the server at the timeout and with the step', async () => {
    const late = await query('SELECT SLEEP(30)', [], { timeoutMs: 300 });
    expect(late).toMatchObject({ failure: { code: 'MYSQL_TIMEOUT', retryable: true } });
    const ending = new AbortController();
    const asked = run('query', { sql: 'SELECT SLEEP(31)' }, server.credentials, { signal: ending.signal });
    asked.catch(() => undefined);
    const running = async () =>
      (await rowsOf("SELECT info FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(3%'")).length;
    while ((await running()) === 0);
    ending.abort(new Error('cancelled'));
    await expect(asked).rejects.toThrow('cancelled');
    expect(await running()).toBe(0);
  });

  it('demands TLS unless the operator trusts the host', async () => {
    const result = await run('query', { sql: 'SELECT 1' }, { ...server.credentials, tls: 'true' });
    expect(result).toMatchObject({ failure: { code: 'MYSQL_TLS_FAILED', retryable: false } });
  });

  it('tries credentials before they are stored', async () => {
    const check = buildConnectionChecks({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 5_000 }).get('mysql');
    expect(await check?.('custom', server.credentials)).toBeUndefined();
    expect(await check?.('custom', { ...server.credentials, password: 'x' })).toMatch(/rejected the user name/);
    expect(await check?.('custom', { ...server.credentials, database: 'nothing' })).toMatch(/nothing/);
  });
});

describe('a server that misbehaves', () => {
  async function serving(act: (socket: Socket) => void): Promise<Record<string, string>> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      act(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { host: '127.0.0.1', port: String(port), database: 'd', user: 'u', password: 'secret-word-1' };
  }

  it.each<[string, (socket: Socket) => void, string]>([
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'MYSQL_'],
    ['sends random bytes', (socket) => socket.write(Buffer.alloc(4_096, 7)), 'MYSQL_'],
    ['closes at once', (socket) => socket.destroy(), 'MYSQL_CONNECTION_FAILED'],
    [
      'never stops',
      (socket) => {
        const more = () => {
          while (socket.writable && socket.write(Buffer.alloc(65_536, 1)));
        };
        socket.on('drain', more);
        more();
      },
      'MYSQL_',
    ],
  ])('%s', async (_, act, code) => {
    const result = await run('query', { sql: 'SELECT 1', timeoutMs: 1_500 }, await serving(act));
    expect(result).toMatchObject({ ok: false, failure: { code: expect.stringContaining(code) } });
  });

  it('is given up at the timeout if it says nothing', async () => {
    const result = await run('query', { sql: 'SELECT 1', timeoutMs: 200 }, await serving(() => undefined));
    expect(result).toMatchObject({ failure: { code: 'MYSQL_TIMEOUT' } });
  });

  it('in a private network is refused', async () => {
    const credentials = await serving(() => undefined);
    expect(await run('query', { sql: 'SELECT 1' }, credentials, { allowedPrivateHosts: [] })).toMatchObject({
      failure: { code: 'MYSQL_REFUSED_ADDRESS' },
    });
    expect(await run('query', { sql: 'SELECT 1' }, { ...credentials, host: 'a b' })).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringMatching(/^connection: host: expected/) },
    });
  });
});
