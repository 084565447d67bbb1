import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { invitationMail, loginLinkMail } from '../../domain/access/mail.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

// Other tests of logins, links and second factors use the defaults.

const LOGIN = { email: 'w@example.com', password: 'a long password' };

let own: OwnApi;

beforeAll(async () => {
  own = await startOwnApi({
    SMTP_URL: 'smtp://127.0.0.1:9',
    CLIENT_URL: 'https://app.example.com',
    LOGIN_WINDOW: '1h',
    LOGIN_FAILURES_MAX: '9',
    LOGIN_LINKS_MAX: '2',
    LOGIN_LINKS_MAX_ADDRESS: '3',
    LOGIN_LINK_TTL: '2h',
    SECOND_FACTOR_TTL: '30m',
    SECOND_FACTOR_TRIES: '2',
  });
});
afterAll(() => own?.dispose());

const call = (path: string, body: object, headers = fromElsewhere()) => api(own.url)('POST', path, { body, headers });
const ask = (email: string, headers = fromElsewhere()) => call('/api/auth/login-link', { email }, headers);
const minutesUntil = (time: Date) => Math.round((time.getTime() - Date.now()) / 60_000);

test('links: to one account, for one address, and how long they live', async () => {
  expect((await ask(LOGIN.email)).status).toBe(202);
  const { expiresAt } = await own.database.loginToken.findFirstOrThrow();
  expect(minutesUntil(expiresAt)).toBe(120);
  expect(loginLinkMail(LOGIN.email, 'https://app.example.com', 7_200_000).text).toContain('for 2 hours.');
  const invited = (lifeMs: number) => invitationMail(LOGIN.email, 'https://app.example.com', 'Acme', lifeMs).text;
  expect(invited(7_200_000)).toContain('within 2 hours:');
  expect(invited(86_400_000)).toContain('within 1 day:');
  expect((await ask(LOGIN.email)).status).toBe(202);
  const refused = await ask(LOGIN.email);
  expect(refused.status).toBe(429);
  // The oldest of them counts for an hour.
  const waitS = Number(refused.headers.get('retry-after'));
  expect(Math.round(waitS / 60)).toBe(60);
  const here = fromElsewhere();
  const statuses: number[] = [];
  for (const name of ['a', 'b', 'c', 'd']) statuses.push((await ask(`${name}@example.com`, here)).status);
  expect(statuses).toEqual([202, 202, 202, 429]);
});

test('links are counted for as long as failed logins are: neither removes what the other still counts', async () => {
  await own.database.loginFailure.deleteMany();
  await ask(LOGIN.email);
  await own.database.loginFailure.updateMany({ data: { failedAt: new Date(Date.now() - 40 * 60_000) } });
  await call('/api/auth/login', { ...LOGIN, password: 'a wrong password' });
  await ask(LOGIN.email);
  expect((await ask(LOGIN.email)).status).toBe(429);
  await own.database.loginFailure.deleteMany();
});

test('the second factor: codes of one login, and how long it waits for them', async () => {
  const { userId } = await own.database.workspaceUser.findFirstOrThrow();
  const { body: session } = await call('/api/auth/login', LOGIN);
  const mine = (what: string, body: object) =>
    api(own.url, session.access_token)('POST', `/api/users/me/2fa/${what}`, { body, headers: fromElsewhere() });
  const { body: enrolled } = await mine('enroll', { password: LOGIN.password });
  const code = new TOTP({ secret: Secret.fromBase32(enrolled.secret) }).generate();
  const { body: confirmed } = await mine('confirm', { token: code });
  const { body: pending } = await call('/api/auth/login', LOGIN);
  const { expiresAt } = await own.database.pendingLogin.findFirstOrThrow({ where: { userId } });
  expect(minutesUntil(expiresAt)).toBe(30);
  const verify = (token: string) => call('/api/auth/2fa/verify-login', { sessionToken: pending.sessionToken, token });
  for (let tries = 0; tries < 2; tries += 1) {
    expect((await verify('000000')).body.detail).toBe('The code is wrong or has been used');
  }
  expect(await verify(confirmed.backupCodes[0])).toMatchObject({
    status: 401,
    body: { detail: 'The session token has been used or has expired; log in again' },
  });
});
