import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { buildApp } from '../../api/app.ts';
import type { Config } from '../../config.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { sendMails } from '../../engine/duties/sendMails.ts';
import { createMailer, type Mailer } from '../../engine/mail/mailer.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { startSmtpServer, type TestSmtpServer, tokenIn } from '../setup/providers/smtpServer.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const EMAIL = 'w@example.com';

let own: OwnApi;
let smtp: TestSmtpServer;
let mailer: Mailer;

beforeAll(async () => {
  smtp = await startSmtpServer();
  own = await startOwnApi({
    SMTP_URL: smtp.url,
    CLIENT_URL: 'https://app.example.com',
    MAIL_FROM: 'robot@example.com',
  });
  mailer = (await createMailer(own.services.config)) as Mailer;
});
afterAll(async () => {
  mailer?.close();
  await own?.dispose();
  await smtp?.dispose();
});
beforeEach(async () => {
  smtp.received.length = 0;
  smtp.refuseWith = undefined;
  await own.database.loginFailure.deleteMany();
  await own.database.outgoingMail.deleteMany();
});

/** Runs the duty once, with all waiting mails due. */
async function deliver(): Promise<void> {
  await own.database.outgoingMail.updateMany({ data: { nextAttemptAt: new Date(0) } });
  const parts = { database: own.database, log: pino({ level: 'silent' }), mailer, sealer: own.services.sealer };
  await sendMails(parts, 1_000).run(new AbortController().signal, () => undefined, ALL_BUCKETS);
}

const ask = (email: string, headers = fromElsewhere()) =>
  api(own.url)('POST', '/api/auth/login-link', { body: { email }, headers });
const enter = (token: string) => api(own.url)('POST', '/api/auth/login-with-token', { body: { token } });

async function linked(email = EMAIL): Promise<string> {
  expect(await ask(email)).toMatchObject({ status: 202, body: { accepted: true } });
  await deliver();
  const [mail] = smtp.received;
  if (!mail) throw new Error('no mail came');
  return tokenIn(mail);
}

test('a link comes to the address, works once, and is kept nowhere in the clear', async () => {
  expect(await ask(` ${EMAIL.toUpperCase()} `)).toMatchObject({ status: 202, body: { accepted: true } });
  const rows = JSON.stringify([await own.database.outgoingMail.findMany(), await own.database.loginToken.findMany()]);
  await deliver();
  expect(smtp.received).toMatchObject([{ to: [EMAIL] }]);
  const [mail] = smtp.received as [(typeof smtp.received)[0]];
  expect(mail.text).toContain('https://app.example.com/verify-token');
  const token = tokenIn(mail);
  expect(rows).not.toContain(token);
  expect(rows).not.toContain(EMAIL);
  const { status, body } = await enter(token);
  expect(status).toBe(200);
  expect((await api(own.url, body.access_token)('GET', '/api/users/me')).body.email).toBe(EMAIL);
  expect((await enter(token)).status).toBe(401);
  await deliver();
  expect(smtp.received).toHaveLength(1);
});

test('a requested link is in the audit log of the person’s workspaces, and so is a refused one', async () => {
  const entriesOf = (requestId: string | null) =>
    own.database.auditEntry.findMany({ where: { requestId: requestId ?? 'none' } });
  const sent = await ask(EMAIL);
  const { userId } = await own.database.workspaceUser.findFirstOrThrow({ where: { workspaceId: own.workspaceId } });
  const of = {
    workspaceId: own.workspaceId,
    resourceType: 'workspaceUser',
    resourceId: userId,
    resourceName: EMAIL,
    actorId: null,
  };
  expect(await entriesOf(sent.headers.get('x-request-id'))).toMatchObject([
    { ...of, action: 'requestLoginLink', outcome: 'success' },
  ]);
  for (let i = 0; i < 4; i += 1) await ask(EMAIL);
  const refused = await ask(EMAIL);
  expect(refused.status).toBe(429);
  expect(await entriesOf(refused.body.requestId)).toMatchObject([{ ...of, outcome: 'denied' }]);
  const unknown = await ask(`${randomUUID()}@example.com`);
  expect([unknown.status, await entriesOf(unknown.headers.get('x-request-id'))]).toEqual([202, []]);
});

test('discovery lists e-mail where a mail server is set', async () => {
  const features = async (url: string) => (await api(url, own.apiKey)('GET', '/api/discovery/enabled-features')).body;
  expect(await features(own.url)).toMatchObject({ email: true });
  const { SMTP_URL: _, ...config } = own.services.config;
  const silent = await own.serve(buildApp({ ...own.services, config: config as Config }));
  expect(await features(silent)).toMatchObject({ email: false });
  expect((await api(silent)('POST', '/api/auth/login-link', { body: { email: EMAIL } })).status).toBe(404);
});

test('an unknown address gets the same answer, and no mail', async () => {
  const known = await ask(EMAIL);
  await own.database.outgoingMail.deleteMany();
  const unknown = await ask(`${randomUUID()}@example.com`);
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  await deliver();
  expect(smtp.received).toEqual([]);
});

test('a link lives 15 minutes, and asks for the second factor', async () => {
  const before = Date.now();
  const token = await linked();
  const { expiresAt } = await own.database.loginToken.findFirstOrThrow();
  expect(expiresAt.getTime() - before).toBeGreaterThan(14 * 60_000);
  expect(expiresAt.getTime() - before).toBeLessThan(16 * 60_000);
  const { userId } = await own.database.workspaceUser.findFirstOrThrow();
  const secret = new Uint8Array([1]);
  await own.database.secondFactor.create({ data: { userId, secret, keyId: 'k', confirmedAt: new Date() } });
  expect((await enter(token)).body).toEqual({ requires2FA: true, sessionToken: expect.any(String) });
  await own.database.secondFactor.deleteMany();
  smtp.received.length = 0;
  const late = await linked();
  await own.database.loginToken.updateMany({ data: { expiresAt: new Date() } });
  expect((await enter(late)).status).toBe(401);
});

test('a failing mail server is tried again, a final refusal is not', async () => {
  await ask(EMAIL);
  for (const responseCode of [451, 421]) {
    smtp.refuseWith = responseCode;
    await deliver();
    expect(await own.database.outgoingMail.count()).toBe(1);
  }
  const { attempts, nextAttemptAt } = await own.database.outgoingMail.findFirstOrThrow();
  expect(attempts).toBe(2);
  expect(nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 15_000);
  smtp.refuseWith = undefined;
  await deliver();
  expect(smtp.received).toHaveLength(1);

  await ask(EMAIL);
  smtp.refuseWith = 550;
  await deliver();
  expect(await own.database.outgoingMail.count()).toBe(0);
});

test('five links to one account, twenty for one address, then 429', async () => {
  for (let i = 0; i < 5; i += 1) expect((await ask(EMAIL)).status).toBe(202);
  const refused = await ask(EMAIL);
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const here = fromElsewhere();
  for (let i = 0; i < 20; i += 1) expect((await ask(`${randomUUID()}@example.com`, here)).status).toBe(202);
  expect((await ask(`${randomUUID()}@example.com`, here)).status).toBe(429);
  // Requests for links are not failed logins.
  const body = { email: EMAIL, password: 'a long password' };
  expect((await api(own.url)('POST', '/api/auth/login', { body, headers: here })).status).toBe(200);
});

test('five of fifty simultaneous requests for one account send a link', async () => {
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await ask(EMAIL)).status));
  expect(statuses.filter((status) => status === 202)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  expect(await own.database.outgoingMail.count()).toBe(5);
});

test('an invitation goes by e-mail and shows that the address is theirs: another workspace may then take the person in', async () => {
  const admin = api(own.url, own.apiKey);
  const email = `ann-${randomUUID()}@example.com`;
  const added = await admin('POST', '/api/workspace/users', { body: { email, role: 'builder' } });
  expect(added.body.invitation).toEqual({ token: null, url: null, sentTo: email, expiresAt: expect.any(String) });
  await deliver();
  expect(smtp.received).toMatchObject([{ to: [email] }]);
  expect(await own.database.user.count({ where: { email } })).toBe(0);
  const { body } = await enter(tokenIn(smtp.received[0] as (typeof smtp.received)[0]));
  const ann = api(own.url, body.access_token);
  expect((await ann('POST', '/api/users/me/password', { body: { password: 'a password of Ann' } })).status).toBe(200);
  expect(await own.database.user.count({ where: { email, invitedByWorkspaceId: null } })).toBe(1);
  const renewed = await admin('POST', `/api/workspace/users/${added.body.id}/invitation`, {});
  expect(renewed.status).toBe(409);
});

test('an invitation by e-mail to a known person logs nobody in: the person accepts it in their account', async () => {
  const admin = api(own.url, own.apiKey);
  const email = `cai-${randomUUID()}@example.com`;
  const newest = () => tokenIn(smtp.received.at(-1) as (typeof smtp.received)[0]);
  await admin('POST', '/api/workspace/users', { body: { email, role: 'builder' } });
  await deliver();
  const { body } = await enter(newest());
  const cai = api(own.url, body.access_token);
  expect((await cai('POST', '/api/users/me/password', { body: { password: 'a password of Cai' } })).status).toBe(200);

  const other = await createWorkspace(own.database, { name: 'Other', email: `dan-${randomUUID()}@example.com` });
  const invited = await api(own.url, other.apiKey)('POST', '/api/workspace/users', {
    body: { email, role: 'operator' },
  });
  expect(invited).toMatchObject({ status: 201, body: { invitation: { token: null, sentTo: email } } });
  await deliver();
  expect(smtp.received.at(-1)).toMatchObject({ to: [email] });
  const refused = await enter(newest());
  expect(refused.status).toBe(401);
  expect((await cai('GET', '/api/users/me')).body.workspaces).toHaveLength(1);

  const { body: open } = await cai('GET', '/api/users/me/invitations');
  expect(open).toMatchObject([
    { id: invited.body.id, workspace: { id: other.workspaceId, name: 'Other' }, role: 'operator' },
  ]);
  expect((await cai('POST', `/api/users/me/invitations/${invited.body.id}/accept`)).status).toBe(200);
  const { workspaces } = (await cai('GET', '/api/users/me')).body;
  expect(workspaces).toHaveLength(2);
  expect(workspaces).toContainEqual(expect.objectContaining({ id: other.workspaceId, role: 'operator' }));
});

test('logins under an address from before its owner read the mail end', async () => {
  const { workspaceId } = own;
  const email = `bea-${randomUUID()}@example.com`;
  const user = await own.database.user.create({
    data: { id: randomUUID(), email, name: 'Bea', passwordHash: 'x', invitedByWorkspaceId: workspaceId },
  });
  await own.database.workspaceUser.create({ data: { workspaceId, userId: user.id, role: 'owner' } });
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + 60_000);
  await own.database.session.create({ data: { id, loginId: id, workspaceId, userId: user.id, expiresAt } });
  expect((await enter(await linked(email))).status).toBe(200);
  expect(await own.database.session.count({ where: { id } })).toBe(0);
  expect((await own.database.user.findUniqueOrThrow({ where: { email } })).passwordHash).toBeNull();
});
