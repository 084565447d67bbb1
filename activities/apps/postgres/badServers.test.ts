import type { LookupFunction, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AnswerState } from '../executor.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildPostgresCheck } from './check.ts';
import {
  ASKS_PASSWORD,
  BACKEND,
  errorMessage,
  message,
  READY,
  type ScriptedServer,
  startScriptedServer,
} from './scriptedServer.ts';
import { buildPostgres, type PostgresSettings } from './statementActions.ts';

const SETTINGS = { allowedPrivateHosts: ['127.0.0.1'], maxRows: 10, maxOutputBytes: 10_000, maxClients: 2 };

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const begun = message('C', 'BEGIN');
const transaction =
  (onStatement: (socket: Socket) => void, onCommit: (socket: Socket) => void = () => undefined) =>
  (text: string, socket: Socket) => {
    if (text.startsWith('Q') && text.includes('BEGIN')) return void socket.write(Buffer.concat([begun, READY]));
    return text.startsWith('Q') ? onCommit(socket) : onStatement(socket);
  };
const statementDone = (socket: Socket) =>
  void socket.write(Buffer.concat([message('1'), message('2'), message('n'), message('C', 'INSERT 0 1'), READY]));

interface Call {
  action?: 'query' | 'execute';
  credentials?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
  answer?: AnswerState;
  settings?: Partial<PostgresSettings>;
}

function call({ action = 'query', credentials, timeoutMs = 20_000, signal, answer, settings }: Call = {}) {
  return runExecutor(
    buildPostgres({ ...SETTINGS, ...settings })[action],
    { sql: 'SELECT 1', timeoutMs },
    {
      connection: { type: 'custom', credentials: { ...server?.credentials, ...credentials } },
      ...(signal ? { signal } : {}),
      ...(answer ? { answer } : {}),
    },
  );
}

describe('the guard', () => {
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const none = { database: 'd', user: 'u', password: 'p' };

  it.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['[::ffff:127.0.0.1]'], ['private.example']])(
    'lets no connection go to %s',
    async (host) => {
      server = await startScriptedServer(() => undefined);
      const settings = { allowedPrivateHosts: [], lookup };
      expect(await call({ credentials: { host }, settings })).toMatchObject({
        failure: { code: 'POSTGRES_REFUSED_ADDRESS', retryable: false },
      });
      const check = buildPostgresCheck({ ...settings, timeoutMs: 20_000 });
      expect(await check('custom', { ...none, host, port: server.credentials.port ?? '' })).toMatch(/refused/);
    },
  );

  it.each([
    [{ host: '/var/run/postgresql' }, /host/],
    [{ host: 'db.example/x' }, /host/],
    [{ port: '0' }, /port/],
    [{ port: '65536' }, /port/],
    [{ user: 'ann\0database\0other' }, /user/],
  ])('%j names no server', async (credentials, message) => {
    server = await startScriptedServer(() => undefined);
    expect(await call({ credentials: credentials as Record<string, string> })).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringMatching(message) },
    });
  });
});

describe('a server', () => {
  it('that rejects the password gives a plain error, without the text that it repeats', async () => {
    const refusing = (socket: Socket) => void socket.write(ASKS_PASSWORD);
    server = await startScriptedServer((text, socket) => {
      socket.end(errorMessage('28P01', `no entry with ${text}`));
    }, refusing);
    const expected = 'The server rejected the user name or the password.';
    expect(await call()).toEqual({ ok: false, failure: { code: '28P01', message: expected, retryable: false } });
    const check = buildPostgresCheck({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 20_000 });
    expect(await check('custom', server.credentials)).toBe(expected);
  });

  it('that repeats the password in another error is not quoted', async () => {
    server = await startScriptedServer((_text, socket) => {
      socket.end(errorMessage('XX000', 'broken: sesame-open-7431'));
    });
    expect(await call()).toMatchObject({ failure: { code: 'XX000', message: 'broken: ***' } });
  });

  it.each([
    ['53300', true],
    ['57P03', true],
    ['3D000', false],
  ])('that greets with %s: another attempt may help: %s', async (code, retryable) => {
    server = await startScriptedServer(
      () => undefined,
      (socket) => void socket.end(errorMessage(code, 'not now')),
    );
    expect(await call()).toMatchObject({ failure: { code, retryable } });
  });

  it.each([
    ['closes', (socket: Socket) => void socket.destroy()],
    ['sends what is no message', (socket: Socket) => void socket.end(Buffer.alloc(5_000, 0xff))],
    [
      'sends rows that no approval is pending for',
      (socket: Socket) => void socket.end(message('D', Buffer.alloc(9_000, 1))),
    ],
    ['sends half a message', (socket: Socket) => void socket.end(Buffer.from([0x54, 0, 0, 0, 9, 1]))],
  ])('that %s fails the step alone', async (_, misbehave) => {
    server = await startScriptedServer(transaction(misbehave));
    const result = await call();
    expect(result).toMatchObject({ ok: false, failure: { code: expect.stringMatching(/^POSTGRES_/) } });
  });

  it('that never stops sending is left', async () => {
    server = await startScriptedServer(
      transaction((socket) => {
        const notice = message('N', 'SNOTICE', 'C00000', `M${'x'.repeat(9_000)}`, Buffer.from([0]));
        const pour = () => {
          while (socket.writable && socket.write(notice));
        };
        socket.on('drain', pour);
        pour();
      }),
    );
    expect(await call()).toMatchObject({ failure: { code: 'POSTGRES_RESULT_TOO_LARGE' } });
  });

  it.each([
    ['the statement', 'POSTGRES_CONNECTION_FAILED', true, (socket: Socket) => void socket.destroy()],
    ['the COMMIT', 'POSTGRES_OUTCOME_UNKNOWN', false, statementDone],
  ])('that stops during %s: %s', async (_, code, retryable, onStatement) => {
    server = await startScriptedServer(transaction(onStatement, (socket) => void socket.destroy()));
    const answer = { isAwaited: false };
    expect(await call({ action: 'execute', answer })).toMatchObject({ failure: { code, retryable } });
    // Without the COMMIT the transaction is rolled back.
    expect(answer.isAwaited).toBe(!retryable);
  });
});

describe('a statement that takes too long', () => {
  it.each([['query'], ['execute']] as const)('is cancelled at the server: %s', async (action) => {
    server = await startScriptedServer(transaction(() => undefined));
    expect(await call({ action, timeoutMs: 3_000 })).toMatchObject({
      failure: { code: 'POSTGRES_TIMEOUT', retryable: true },
    });
    expect(server.cancels).toEqual([BACKEND]);
  });

  it('is cancelled when its step is', async () => {
    server = await startScriptedServer(transaction(() => undefined));
    const controller = new AbortController();
    const sent = server.hasSent('SELECT 1');
    const result = call({ signal: controller.signal });
    await sent;
    controller.abort(new Error('cancelled'));
    await expect(result).rejects.toThrow('cancelled');
    expect(server.cancels).toEqual([BACKEND]);
  });

  it('lets others wait above the limit of the setting', async () => {
    const refusing = (socket: Socket) => void socket.end(errorMessage('53300', 'too many'));
    server = await startScriptedServer(() => undefined, refusing);
    const silent = await startScriptedServer(transaction(() => undefined));
    try {
      const executor = buildPostgres({ ...SETTINGS, maxClients: 1 }).query;
      const run = (credentials: Record<string, string>, controller: AbortController) =>
        runExecutor(
          executor,
          { sql: 'SELECT 1' },
          { connection: { type: 'custom', credentials }, signal: controller.signal },
        );
      const [first, second] = [new AbortController(), new AbortController()];
      const sent = silent.hasSent('SELECT 1');
      const running = run(silent.credentials, first);
      await sent;
      const waiting = run(silent.credentials, second);
      expect(await run(server.credentials, new AbortController())).toMatchObject({ failure: { code: '53300' } });
      second.abort(new Error('the second gives up'));
      await expect(waiting).rejects.toThrow('the second gives up');
      // It never had a connection, so there was nothing to cancel.
      expect(silent.cancels).toEqual([]);
      first.abort(new Error('the first gives up'));
      await expect(running).rejects.toThrow('the first gives up');
      expect(silent.cancels).toEqual([BACKEND]);
    } finally {
      await silent.close();
    }
  });
});
