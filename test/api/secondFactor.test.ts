import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { hashPassword } from '../../api/access/password.ts';
import { takeStep } from '../../prisma/store/secondFactor/secondFactors.ts';
import { insertMember } from '../../prisma/store/user/insertMember.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { makeWorkspace, stackDatabase, TEST_HASH_COST } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const STEP_MS = 30_000;

interface Person {
  email: string;
  password: string;
  token: string;
}

async function owner(): Promise<Person & { workspaceId: string; apiKey: string }> {
  const { email, password, workspaceId, apiKey } = await makeWorkspace();
  const { body } = await logIn({ email, password });
  return { email, password, workspaceId, apiKey, token: body.access_token };
}

function logIn({ email, password }: Pick<Person, 'email' | 'password'>) {
  return call('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() });
}

async function sessionToken(person: Person): Promise<string> {
  const { status, body } = await logIn(person);
  expect({ status, body }).toEqual({ status: 200, body: { requires2FA: true, sessionToken: expect.any(String) } });
  return body.sessionToken;
}

function verify(sessionToken: string, token: string, headers = fromElsewhere()) {
  return call('POST', '/api/auth/2fa/verify-login', { body: { sessionToken, token }, headers });
}

/** Returns the code of an app `steps` steps of 30 s ahead; the API accepts one step ahead. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

function wrongCode(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  for (let number = 0; ; number += 1) {
    const code = String(number).padStart(6, '0');
    if (!right.has(code)) return code;
  }
}

function of({ token }: Person, what: string, body: object, headers: Record<string, string> = {}) {
  return call('POST', `/api/users/me/2fa/${what}`, { token, body, headers: { ...fromElsewhere(), ...headers } });
}

/** A user with a confirmed app: the current code is used up, the next one is not. */
async function enrolled() {
  const person = await owner();
  const { body } = await of(person, 'enroll', { password: person.password });
  const confirmed = await of(person, 'confirm', { token: codeOf(body.secret) });
  expect(confirmed.status).toBe(200);
  return { person, secret: body.secret as string, backupCodes: confirmed.body.backupCodes as string[] };
}

test('from the first confirmed code on, a login asks for the second factor', async () => {
  const person = await owner();
  const enrolment = await of(person, 'enroll', { password: person.password });
  expect(enrolment).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/) } });
  const { secret, otpauthUrl, qrSvg } = enrolment.body;
  expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret);
  expect(qrSvg).toMatch(/^<svg/);
  expect((await logIn(person)).body).toHaveProperty('access_token');

  expect(await of(person, 'confirm', { token: wrongCode(secret) })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ path: 'token', message: expect.any(String) }] },
  });
  const confirmed = await of(person, 'confirm', { token: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  expect(new Set(confirmed.body.backupCodes).size).toBe(10);

  const pending = await sessionToken(person);
  const done = await verify(pending, codeOf(secret, 1));
  expect(done.status).toBe(200);
  expect(Object.keys(done.body).sort()).toEqual(['access_token', 'refresh_token']);
  const me = await call('GET', '/api/users/me', { token: done.body.access_token });
  expect(me.body).toMatchObject({ email: person.email, twoFactorEnabled: true });
  expect((await verify(pending, codeOf(secret, 1))).status).toBe(401);
});

test('a code is valid once, also in twenty simultaneous requests', async () => {
  const { person, secret } = await enrolled();
  const tokens = await Promise.all([1, 2, 3, 4].map(() => sessionToken(person)));
  const code = codeOf(secret, 1);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => verify(tokens[index % 4] as string, code)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  for (const status of statuses) expect([200, 401, 429]).toContain(status);
});

test('a backup code is good once, however it is typed', async () => {
  const { person, backupCodes } = await enrolled();
  const [first = ''] = backupCodes;
  expect((await verify(await sessionToken(person), ` ${first.toLowerCase().replaceAll('-', '')}`)).status).toBe(200);
  expect((await verify(await sessionToken(person), first)).status).toBe(401);
});

test('new backup codes take the place of the old ones', async () => {
  const { person, secret, backupCodes } = await enrolled();
  const { status, body } = await of(person, 'backup-codes', { token: codeOf(secret, 1) });
  expect(status).toBe(200);
  expect((await verify(await sessionToken(person), String(backupCodes[0]))).status).toBe(401);
  expect((await verify(await sessionToken(person), body.backupCodes[0])).status).toBe(200);
});

test('five wrong codes void the session token, also when guesses are simultaneous', async () => {
  const { person, secret, backupCodes } = await enrolled();
  const pending = await sessionToken(person);
  const wrong = wrongCode(secret);
  const guesses = await Promise.all(Array.from({ length: 20 }, () => verify(pending, wrong)));
  expect(guesses.map(({ status }) => status)).toEqual(guesses.map(() => 401));
  const counted = await stackDatabase().loginFailure.count({ where: { subject: `email:${person.email}` } });
  expect(counted).toBe(5);
  expect(await verify(pending, String(backupCodes[0]))).toMatchObject({
    status: 401,
    body: { detail: 'The session token has been used or has expired; log in again' },
  });
  // They count as failed logins: five more lock the account.
  const next = await sessionToken(person);
  for (let guess = 0; guess < 5; guess += 1) await verify(next, wrong);
  expect(await logIn(person)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
});

test('a session token lives five minutes', async () => {
  const { person, backupCodes } = await enrolled();
  const pending = await sessionToken(person);
  const { id } = await stackDatabase().user.findUniqueOrThrow({ where: { email: person.email } });
  const rows = await stackDatabase().pendingLogin.findMany({ where: { userId: id } });
  const left = (rows[0]?.expiresAt.getTime() ?? 0) - Date.now();
  expect(left).toBeGreaterThan(4 * 60_000);
  expect(left).toBeLessThanOrEqual(5 * 60_000);
  await stackDatabase().pendingLogin.updateMany({ where: { userId: id }, data: { expiresAt: new Date() } });
  expect((await verify(pending, String(backupCodes[0]))).status).toBe(401);
});

test('an enrolment that awaits its code is replaced by the next, a confirmed one is not', async () => {
  const person = await owner();
  const first = (await of(person, 'enroll', { password: person.password })).body.secret;
  const second = (await of(person, 'enroll', { password: person.password })).body.secret;
  expect(second).not.toBe(first);
  expect((await of(person, 'confirm', { token: codeOf(first) })).status).toBe(400);
  expect((await of(person, 'confirm', { token: codeOf(second) })).status).toBe(200);
  expect(await of(person, 'enroll', { password: person.password })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
});

test('a code confirms the enrolment that it is of, and none that has replaced it meanwhile', async () => {
  const person = await owner();
  const { body: me } = await call('GET', '/api/users/me', { token: person.token });
  const enrol = async () => {
    await of(person, 'enroll', { password: person.password });
    return stackDatabase().secondFactor.findUniqueOrThrow({ where: { userId: me.id } });
  };
  const { secret: sealed } = await enrol();
  await enrol();
  expect(await takeStep(stackDatabase(), me.id, { sealed, step: 1 }, true)).toBe(false);
  const { secret } = await enrol();
  expect(await takeStep(stackDatabase(), me.id, { sealed: secret, step: 1 }, true)).toBe(true);
});

test('disabling takes password and code', async () => {
  const { person, secret, backupCodes } = await enrolled();
  const [code = ''] = backupCodes;
  expect(await of(person, 'disable', { password: 'another one', token: code })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'password', message: expect.any(String) }] },
  });
  expect((await of(person, 'disable', { password: person.password, token: wrongCode(secret) })).status).toBe(400);
  expect((await logIn(person)).body).toHaveProperty('requires2FA', true);
  const disabled = await of(person, 'disable', { password: person.password, token: code });
  expect(disabled).toMatchObject({ status: 200, body: { twoFactorEnabled: false } });
  expect((await logIn(person)).body).toHaveProperty('access_token');
  expect((await of(person, 'backup-codes', { token: String(backupCodes[1]) })).status).toBe(400);
});

test('a stolen access token does not help to guess the password', async () => {
  const person = await owner();
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await of(person, 'enroll', { password: `guess ${guess}` })).status).toBe(400);
  }
  expect((await of(person, 'enroll', { password: person.password })).status).toBe(429);
});

test('an API key has no second factor', async () => {
  const { apiKey, password } = await owner();
  const answer = await call('POST', '/api/users/me/2fa/enroll', { key: apiKey, body: { password } });
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('backup codes are given again under the same Idempotency-Key, to the same person alone', async () => {
  const person = await owner();
  const { secret } = (await of(person, 'enroll', { password: person.password })).body;
  const headers = { 'idempotency-key': randomUUID() };
  const body = { token: codeOf(secret) };
  const first = await of(person, 'confirm', body, headers);
  const again = await of(person, 'confirm', body, headers);
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const kept = await stackDatabase().$queryRaw<object[]>`
    SELECT * FROM idempotency_keys WHERE workspace_id = ${person.workspaceId}::uuid`;
  expect(JSON.stringify(kept)).not.toContain(first.body.backupCodes[0]);

  const other = { email: `${randomUUID()}@example.com`, password: 'a good password' };
  const member = {
    id: randomUUID(),
    name: 'Bea',
    role: 'builder' as const,
    passwordHash: await hashPassword(other.password, TEST_HASH_COST),
  };
  await insertMember(stackDatabase(), person.workspaceId, { ...member, email: other.email });
  const { body: tokens } = await logIn(other);
  expect((await of({ ...other, token: tokens.access_token }, 'confirm', body, headers)).status).toBe(400);
});

test('the secret and the codes are kept sealed and hashed', async () => {
  const { person, secret, backupCodes } = await enrolled();
  const { id } = await stackDatabase().user.findUniqueOrThrow({ where: { email: person.email } });
  const factor = await stackDatabase().secondFactor.findUniqueOrThrow({ where: { userId: id } });
  expect(Buffer.from(factor.secret).includes(secret)).toBe(false);
  const codes = await stackDatabase().backupCode.findMany({ where: { userId: id } });
  expect(codes).toHaveLength(10);
  const plain = backupCodes.map((code) => code.replaceAll('-', ''));
  for (const { codeHash } of codes) for (const code of plain) expect(Buffer.from(codeHash).includes(code)).toBe(false);
});
