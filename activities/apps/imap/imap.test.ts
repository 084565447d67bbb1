import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { outputProblems } from '../../../test/setup/api/outputProblems.ts';
import { onTestFinished } from '../../../test/setup/jest/onTestFinished.ts';
import { GREENMAIL, type GreenMail, startGreenMail } from '../../../test/setup/providers/greenMail.ts';
import { buildConnectionChecks } from '../connectionChecks.ts';
import { optionLoaderTable } from '../optionLoaders.ts';
import type { PollResult } from '../poller.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildMails } from './mails.ts';
import { IMAP } from './manifest.ts';
import { buildNewMail } from './newMail.ts';

const PASSWORD = 'secret-word-1';
const GUARD = { allowedPrivateHosts: ['127.0.0.1'] };

const POLLS = { ...GUARD, maxItems: 3 };

function poll(
  credentials: Record<string, string>,
  cursor: Json,
  startWith: 'new' | 'all' = 'new',
  settings = POLLS,
  inputs: JsonObject = {},
) {
  return buildNewMail(settings)({
    ...{ inputs, workspaceId: 'w', startWith, cursor, signal: new AbortController().signal },
    connection: { type: 'custom', credentials },
  });
}

async function run(actionId: 'move' | 'flag', inputs: JsonObject, credentials: Record<string, string>) {
  const connection = { type: 'custom', credentials };
  const result = await runExecutor(buildMails(GUARD)[actionId], inputs, { connection });
  const manifest = IMAP.actions.find((each) => each.actionId === actionId);
  if (result.ok && manifest) expect(outputProblems(manifest, result.output)).toEqual([]);
  expect(JSON.stringify(result)).not.toContain(PASSWORD);
  return result;
}

function itemsOf(result: PollResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.items as { key: string; item: JsonObject }[];
}
const cursorOf = (result: PollResult): Json => (result.ok ? result.cursor : null);

(GREENMAIL === undefined ? describe.skip : describe)('on GreenMail', () => {
  let server: GreenMail;
  let credentials: Record<string, string>;

  const send = (subject: string, more: object = {}) =>
    createTransport({ host: '127.0.0.1', port: server.smtpPort, ignoreTLS: true }).sendMail({
      ...{ from: 'Grace <grace@example.com>', to: 'ada@example.com', subject, text: `About ${subject}.`, ...more },
    });

  beforeAll(async () => {
    server = await startGreenMail(GREENMAIL ?? '', `ada:${PASSWORD}@example.com`);
    credentials = { host: '127.0.0.1', port: String(server.imapPort), user: 'ada', password: PASSWORD };
    const client = new ImapFlow({
      ...{ host: '127.0.0.1', port: server.imapPort, secure: false, logger: false },
      auth: { user: 'ada', pass: PASSWORD },
    });
    await client.connect();
    await client.mailboxCreate('Archive');
    await client.logout();
  }, 120_000);
  afterAll(() => server?.stop());

  it('starts with mails after the trigger was switched on, and loses and repeats none', async () => {
    await send('before');
    const first = await poll(credentials, null);
    expect(itemsOf(first)).toEqual([]);
    await send('one', { attachments: [{ filename: 'a.csv', content: 'x,y' }], html: '<b>one</b>' });
    await send('two');
    const second = await poll(credentials, cursorOf(first));
    const found = itemsOf(second);
    expect(found.map(({ item }) => item.subject)).toEqual(['one', 'two']);
    expect(found[0]?.item).toMatchObject({
      ...{ mailbox: 'INBOX', from: [{ name: 'Grace', address: 'grace@example.com' }], html: '<b>one</b>' },
      ...{ to: [{ name: '', address: 'ada@example.com' }], text: expect.stringContaining('About one.') },
      ...{ attachments: [{ filename: 'a.csv', contentType: 'text/csv', size: 3 }], truncated: false },
      messageId: expect.stringMatching(/^<.+>$/),
    });
    expect(found.every(({ item }) => !(item.flags as string[]).includes('\\Seen'))).toBe(true);
    // A worker that died before the cursor was stored reads them again, with the same keys.
    expect(itemsOf(await poll(credentials, cursorOf(first))).map(({ key }) => key)).toEqual(
      found.map(({ key }) => key),
    );
    expect(itemsOf(await poll(credentials, cursorOf(second)))).toEqual([]);
  });

  async function pollToEnd(cursor: Json, startWith: 'new' | 'all' = 'new') {
    const mails: { key: string; item: JsonObject }[] = [];
    for (let end = cursor; ; ) {
      const page = await poll(credentials, end, startWith);
      if (itemsOf(page).length === 0) return { mails, cursor: cursorOf(page) };
      expect(itemsOf(page).length).toBeLessThanOrEqual(POLLS.maxItems);
      mails.push(...itemsOf(page));
      end = cursorOf(page);
    }
  }
  const subjectsOf = (mails: { item: JsonObject }[]) => mails.map(({ item }) => item.subject);

  it('reads from the beginning on request, a part in each poll', async () => {
    for (let index = 0; index < 5; index += 1) await send(`part ${index}`);
    const { mails } = await pollToEnd(null, 'all');
    expect(subjectsOf(mails).slice(-5)).toEqual(['part 0', 'part 1', 'part 2', 'part 3', 'part 4']);
    expect(mails.length).toBeGreaterThan(2 * POLLS.maxItems);
    expect(new Set(mails.map(({ key }) => key)).size).toBe(mails.length);
  });

  it('neither loses nor repeats a mail if the server has renumbered the mailbox', async () => {
    const { cursor: read } = await pollToEnd(null, 'all');
    const renumbered = { ...(read as JsonObject), uidValidity: '1', uid: 1_000 };
    const quiet = await poll(credentials, renumbered);
    expect(itemsOf(quiet)).toEqual([]);
    expect(itemsOf(await poll(credentials, cursorOf(quiet)))).toEqual([]);
    const arrived = ['after 0', 'after 1', 'after 2', 'after 3', 'after 4'];
    for (const subject of arrived) await send(subject);
    const found = await pollToEnd(renumbered);
    expect(subjectsOf(found.mails)).toEqual(arrived);
    expect(found.cursor).not.toHaveProperty('after');
    const empty = { uidValidity: '1', uid: 0, latest: { at: '', mails: [] } };
    expect((await pollToEnd(empty)).mails.length).toBeGreaterThan(arrived.length);
  });

  async function deliver(...mail: (string | Buffer)[]): Promise<JsonObject> {
    const before = cursorOf(await poll(credentials, null));
    const raw = Buffer.concat(mail.map((each) => Buffer.from(each as string)));
    const [from, to] = ['grace@example.com', 'ada@example.com'];
    await createTransport({ host: '127.0.0.1', port: server.smtpPort, ignoreTLS: true }).sendMail({
      ...{ envelope: { from, to }, raw },
    });
    const after = await poll(credentials, before);
    expect(itemsOf(await poll(credentials, cursorOf(after)))).toEqual([]);
    return itemsOf(after)[0]?.item ?? {};
  }

  it('reads charsets, encoded words, and text of HTML', async () => {
    const subject = 'Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nMIME-Version: 1.0\r\n';
    const latin = await deliver(
      `${subject}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=F6n`,
    );
    expect(latin).toMatchObject({ subject: 'Grüße', html: null, truncated: false, from: [], attachments: [] });
    expect(String(latin.text).trim()).toBe('Schön');
    const html = await deliver(`${subject}Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hello <b>Ada</b></p>`);
    expect(html).toMatchObject({ text: expect.stringContaining('Hello Ada'), html: expect.stringContaining('<b>Ada') });
  });

  it('reads the start of a large mail, and lists all its attachments', async () => {
    const line = `${'QUJD'.repeat(19)}\r\n`;
    const part = (name: string, lines: number) =>
      `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=${name}\r\nContent-Transfer-Encoding: base64\r\n\r\n${line.repeat(lines)}`;
    const head = 'Subject: scans\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n';
    const text = '--b\r\nContent-Type: text/plain\r\n\r\nTwo scans.\r\n';
    const item = await deliver(head, text, part('a.pdf', 20_000), part('b.pdf', 100), '--b--\r\n');
    expect(item).toMatchObject({ subject: 'scans', text: expect.stringContaining('Two scans.'), truncated: true });
    expect(item.attachments).toEqual([
      { filename: 'a.pdf', contentType: 'application/pdf', size: 1_140_000 },
      { filename: 'b.pdf', contentType: 'application/pdf', size: 5_700 },
    ]);
  }, 30_000);

  it('delivers a mail that no parser takes, so that it blocks none after it', async () => {
    const head = 'Subject: bomb\r\nFrom: Eve <eve@example.com>\r\nMIME-Version: 1.0\r\n';
    const parts = '--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n'.repeat(1_500);
    const bomb = await deliver(head, 'Content-Type: multipart/mixed; boundary=b\r\n\r\n', parts, '--b--\r\n');
    expect(bomb).toMatchObject({
      ...{ subject: 'bomb', from: [{ name: 'Eve', address: 'eve@example.com' }], text: '', truncated: true },
    });
    expect((bomb.attachments as Json[]).length).toBeLessThanOrEqual(500);
    const nul = await deliver(`${head}Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nYQBi\r\n`);
    expect(String(nul.text).trim()).toBe('a\ufffdb');
  });

  it('flags and moves a mail by its UID', async () => {
    const first = await poll(credentials, null);
    await send('move me');
    const [mail] = itemsOf(await poll(credentials, cursorOf(first)));
    const { uid = 0, uidValidity = '' } = (mail?.item ?? {}) as { uid?: number; uidValidity?: string };
    const flagged = await run('flag', { uid, uidValidity, add: ['seen', 'flagged'], remove: ['flagged'] }, credentials);
    expect(flagged).toMatchObject({ ok: true, output: { uid, flags: expect.arrayContaining(['\\Seen']) } });
    expect(JSON.stringify(flagged)).not.toContain('Flagged');
    expect(await run('move', { uid, to: 'Archive' }, credentials)).toMatchObject({ output: { mailbox: 'Archive' } });
    expect(await run('move', { uid, to: 'Archive' }, credentials)).toMatchObject({
      failure: { code: 'IMAP_NO_MAIL', retryable: false },
    });
    expect(await run('flag', { uid, uidValidity: '7', add: ['seen'] }, credentials)).toMatchObject({
      failure: { code: 'IMAP_NO_MAIL', message: 'The server has renumbered the mailbox since.' },
    });
  });

  it('fails with the reason', async () => {
    const missing = await run('flag', { mailbox: 'Nowhere', uid: 1, add: ['seen'] }, credentials);
    expect(missing).toMatchObject({ failure: { code: 'IMAP_NO_MAILBOX' } });
    const odd = { uid: 1, to: 'x\r\nA9 DELETE Archive' };
    expect(await run('move', odd, credentials)).toMatchObject({ failure: { code: 'INVALID_INPUT' } });
    expect(await poll(credentials, null, 'new', POLLS, { mailbox: 'a\nb' })).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringMatching(/^mailbox: /) },
    });
    const [mail] = itemsOf(await poll(credentials, null, 'all'));
    const uid = mail?.item.uid ?? 0;
    expect(await run('move', { uid, to: 'Nowhere "x' }, credentials)).toMatchObject({
      failure: { code: 'IMAP_NO_MAILBOX' },
    });
    const wrong = { ...credentials, password: 'other-word' };
    expect(await poll(wrong, null)).toMatchObject({ ok: false, failure: { code: 'IMAP_LOGIN_REFUSED' } });
    expect(await run('flag', { uid: 1, add: ['\\Seen'] }, credentials)).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringMatching(/^add\.0: expected seen/) },
    });
  });

  it('checks the certificate of a server with TLS', async () => {
    const secure = { ...credentials, port: String(server.imapsPort), secure: 'true' };
    expect(await poll(secure, null)).toMatchObject({ ok: false, failure: { code: 'IMAP_TLS_FAILED' } });
    expect(await poll({ ...secure, ca: server.ca }, null)).toMatchObject({ ok: true });
  });

  it('loads the mailboxes of the account', async () => {
    const load = optionLoaderTable({ ...GUARD, maxResponseBytes: 1_000 }).get('imap.*.to');
    const call = { workspaceId: 'w', inputs: {}, signal: new AbortController().signal };
    const connection = { type: 'custom', credentials };
    expect(await load?.({ ...call, connection, search: 'arch' })).toEqual({
      ...{ ok: true, options: [{ value: 'Archive', label: 'Archive' }] },
    });
    const wrong = { ...connection, credentials: { ...credentials, password: 'other-word' } };
    expect(await load?.({ ...call, connection: wrong, search: '' })).toMatchObject({
      ...{ ok: false, failure: { code: 'IMAP_LOGIN_REFUSED' } },
    });
  });

  it('demands TLS unless the operator trusts the host', async () => {
    const result = await poll({ ...credentials, ca: '-----BEGIN CERTIFICATE-----' }, null);
    expect(result).toMatchObject({ ok: false, failure: { code: 'IMAP_TLS_FAILED' } });
    expect(await poll(credentials, null, 'new', { allowedPrivateHosts: [], maxItems: 3 })).toMatchObject({
      failure: { code: 'IMAP_REFUSED_ADDRESS' },
    });
  });

  it('tries credentials before they are stored', async () => {
    const check = buildConnectionChecks({ ...GUARD, timeoutMs: 5_000 }).get('imap');
    expect(await check?.('custom', credentials)).toBeUndefined();
    expect(await check?.('custom', { ...credentials, password: 'other-word' })).toMatch(/rejected the login/);
    expect(await check?.('custom', { ...credentials, host: 'a b' })).toMatch(/^host: expected/);
  });
});

describe('a server that says nothing', () => {
  it('is left with the step', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const ending = new AbortController();
    const { port } = silent.address() as AddressInfo;
    const credentials = { host: '127.0.0.1', port: String(port), user: 'u', password: PASSWORD };
    const inputs = { uid: 1, to: 'Archive' };
    const connection = { type: 'custom', credentials };
    const asked = runExecutor(buildMails(GUARD).move, inputs, { connection, signal: ending.signal });
    await once(silent, 'connection');
    ending.abort(new Error('cancelled'));
    await expect(asked).rejects.toThrow('cancelled');
  });
});
