import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { JsonObject } from '../../../domain/json.ts';
import { onTestFinished } from '../../../test/setup/jest/onTestFinished.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildSend } from './send.ts';

interface Received {
  from: string;
  to: string[];
  message: string;
}

const USER = 'shop@example.com';
const PASSWORD = 'secret-word-1';
let received: Received[] = [];
let refuseWith: { at: 'sender' | 'recipient' | 'data'; responseCode: number } | undefined;
let port: number;

const refused = (at: string) =>
  refuseWith?.at === at ? Object.assign(new Error(`no: ${PASSWORD}`), refuseWith) : undefined;

async function listening(options: SMTPServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD ? done(null, { user: username }) : done(new Error('who is that')),
    onMailFrom: (_address, _session, done) => done(refused('sender')),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? new Error('unknown') : refused('recipient')),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.once('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const error = refused('data');
        if (!error) received.push({ from, to, message: Buffer.concat(parts).toString('utf8') });
        done(error);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { port: (listener.address() as AddressInfo).port, close };
}

let server: { port: number; close(): Promise<void> };
beforeAll(async () => {
  server = await listening({ disabledCommands: ['STARTTLS'] });
  port = server.port;
});
afterAll(() => server.close());
beforeEach(() => {
  received = [];
  refuseWith = undefined;
});

const MAIL = { to: 'Ada <ada@example.com>, grace@example.com', subject: 'Größe', text: 'Hello.' };
const executor = (more: { allowedPrivateHosts?: string[]; maxMailBytes?: number } = {}) =>
  buildSend({ allowedPrivateHosts: ['127.0.0.1'], maxMailBytes: 100_000, ...more });

async function send(
  inputs: JsonObject,
  credentials: Record<string, string> = {},
  run = executor(),
  signal?: AbortSignal,
) {
  const all = { host: '127.0.0.1', port: String(port), user: USER, password: PASSWORD, ...credentials };
  const result = await runExecutor(
    run,
    { ...MAIL, ...inputs },
    { connection: { type: 'custom', credentials: all }, ...(signal ? { signal } : {}) },
  );
  expect(JSON.stringify(result)).not.toContain(PASSWORD);
  return result;
}

describe('smtp.send', () => {
  it('sends to everybody, shows no Bcc, and repeats its Message-ID in another attempt', async () => {
    const inputs = {
      ...{ cc: 'c@example.com', bcc: 'hidden@example.com', replyTo: 'answers@example.com' },
      ...{ html: '<b>Hello</b>', headers: { 'X-Order': 17 } },
    };
    const first = await send(inputs);
    const messageId = (first as { output?: { messageId?: string } }).output?.messageId;
    expect(messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
    const to = ['ada@example.com', 'grace@example.com', 'c@example.com', 'hidden@example.com'];
    expect(first).toEqual({ ok: true, output: { messageId, accepted: to, rejected: [] } });
    expect(await send(inputs)).toEqual(first);
    expect(received.map((each) => [each.from, each.to])).toEqual([
      [USER, to],
      [USER, to],
    ]);
    const { message = '' } = received[0] ?? {};
    expect(message).not.toContain('hidden');
    for (const line of [
      `Message-ID: ${messageId}`,
      'X-Order: 17',
      'Reply-To: answers@example.com',
      'Subject: =?UTF-8?',
    ]) {
      expect(message).toContain(line);
    }
  });

  it('tells which recipients were rejected', async () => {
    expect(await send({ to: 'nobody@example.com, ada@example.com' })).toMatchObject({
      ok: true,
      output: { accepted: ['ada@example.com'], rejected: ['nobody@example.com'] },
    });
  });

  it.each<[JsonObject, string]>([
    [{ to: 'ada' }, 'to: expected addresses such as ada@example.com, with commas between them'],
    [
      { cc: 'a@b.example\r\nBcc: x@y.example' },
      'cc: expected addresses such as ada@example.com, with commas between them',
    ],
    [{ from: 'a@b.example, c@d.example' }, 'from: expected one address'],
    [{ headers: { Bcc: 'x@y.example' } }, 'headers.Bcc: is set by the action itself'],
    [{ headers: { 'X-A': 'a\r\nBcc: x' } }, 'headers.X-A: expected at most 998 characters in one line'],
    [{ headers: { 'X A': 'a' } }, 'headers: "X A" is not a header\'s name'],
    [
      { to: Array.from({ length: 101 }, (_, index) => `a${index}@example.com`).join() },
      'to: expected at most 100 recipients',
    ],
  ])('refuses inputs that no mail can have: %#', async (inputs, message) => {
    expect(await send(inputs)).toMatchObject({ ok: false, failure: { code: 'INVALID_INPUT', message } });
    expect(received).toEqual([]);
  });

  it('needs a sender, and mails within the limit', async () => {
    expect(await send({}, { user: 'shop' })).toMatchObject({
      failure: { message: 'from: expected an address, because the user of the connection is none' },
    });
    expect(await send({ text: 'x'.repeat(2_000) }, {}, executor({ maxMailBytes: 2_000 }))).toMatchObject({
      failure: { code: 'SMTP_TOO_LARGE', message: 'The e-mail is larger than 2000 bytes.' },
    });
  });
});

describe('a server that refuses', () => {
  it.each<['sender' | 'recipient' | 'data', number, string, boolean]>([
    ['sender', 550, 'SMTP_REFUSED', false],
    ['recipient', 451, 'SMTP_TRY_AGAIN', true],
    ['data', 554, 'SMTP_REFUSED', false],
    ['data', 452, 'SMTP_TRY_AGAIN', true],
  ])('the %s with %i fails with %s', async (at, responseCode, code, retryable) => {
    refuseWith = { at, responseCode };
    const details = { responseCode, response: expect.stringContaining('***') };
    expect(await send({ to: 'ada@example.com' })).toMatchObject({ ok: false, failure: { code, retryable, details } });
  });

  it('the login fails with SMTP_LOGIN_REFUSED', async () => {
    const result = await send({}, { user: 'eve@example.com' });
    expect(result).toMatchObject({ failure: { code: 'SMTP_LOGIN_REFUSED', retryable: false } });
  });
});

describe('the connection', () => {
  it('to a private host is refused unless the operator allows it', async () => {
    expect(await send({}, {}, executor({ allowedPrivateHosts: [] }))).toMatchObject({
      failure: { code: 'SMTP_REFUSED_ADDRESS', retryable: false },
    });
    expect(received).toEqual([]);
  });

  it('must be encrypted with a certificate that somebody vouches for', async () => {
    const secure = await listening({ secure: true });
    onTestFinished(secure.close);
    const result = await send({}, { port: String(secure.port), secure: 'true' });
    expect(result).toMatchObject({ failure: { code: 'SMTP_TLS_FAILED', retryable: false } });
    // If `ca` is given, TLS is required, and this server does not offer STARTTLS.
    const plain = await send({}, { ca: '-----BEGIN CERTIFICATE-----' });
    expect(plain).toMatchObject({ failure: { code: 'SMTP_TLS_FAILED' } });
    expect(received).toEqual([]);
  });

  it('uses STARTTLS in the own network if the server has it', async () => {
    const withTls = await listening({});
    onTestFinished(withTls.close);
    expect(await send({}, { port: String(withTls.port) })).toMatchObject({ ok: true });
  });

  /** Speaks SMTP until the end of the message, and then calls `atEnd`. */
  async function scripted(atEnd: (socket: Socket) => void): Promise<string> {
    const sockets: Socket[] = [];
    const scriptedServer = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.write('220 here\r\n');
      let isData = false;
      socket.on('data', (chunk) => {
        const text = chunk.toString();
        if (isData) return void (text.endsWith('\r\n.\r\n') && atEnd(socket));
        for (const line of text.trim().split('\r\n')) {
          isData = line === 'DATA';
          socket.write(isData ? '354 go on\r\n' : '250 fine\r\n');
        }
      });
    });
    scriptedServer.listen(0, '127.0.0.1');
    await once(scriptedServer, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      scriptedServer.close();
    });
    return String((scriptedServer.address() as AddressInfo).port);
  }
  const NO_LOGIN = { user: '', password: '' };
  const FROM = { from: 'shop@example.com' };

  it('that is lost after the message has an unknown outcome, and is not tried again', async () => {
    const lost = await scripted((socket) => socket.destroy());
    expect(await send(FROM, { port: lost, ...NO_LOGIN })).toMatchObject({
      failure: { code: 'SMTP_OUTCOME_UNKNOWN', retryable: false },
    });
  });

  it('that nobody takes may be tried again', async () => {
    const gone = await listening({});
    await gone.close();
    expect(await send({}, { port: String(gone.port) })).toMatchObject({
      failure: { code: 'SMTP_CONNECTION_FAILED', retryable: true },
    });
  });

  it('ends with the step', async () => {
    const ending = new AbortController();
    let isClosed: Promise<unknown> = Promise.resolve();
    const silent = await scripted((socket) => {
      isClosed = once(socket, 'close');
      ending.abort(new Error('cancelled'));
    });
    await expect(send(FROM, { port: silent, ...NO_LOGIN }, executor(), ending.signal)).rejects.toThrow('cancelled');
    await isClosed;
  });
});

it('credentials are tried before they are stored', async () => {
  const check = buildConnectionChecks({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 5_000 }).get('smtp');
  const credentials = { host: '127.0.0.1', port: String(port), user: USER, password: PASSWORD };
  expect(await check?.('custom', credentials)).toBeUndefined();
  expect(await check?.('custom', { ...credentials, password: 'other-word' })).toMatch(/rejected the login/);
  expect(await check?.('custom', { ...credentials, host: 'smtp://x' })).toMatch(/^host: expected/);
});
