import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { hashPassword } from '../../api/access/password.ts';
import { loginSubjects } from '../../domain/access/loginLimit.ts';
import { networksAround, siteOf } from '../../domain/access/network.ts';
import { PERMISSIONS, ROLE_PERMISSIONS, type Role } from '../../domain/access/permission.ts';
import { insertApiKey, revokeApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { endLogin } from '../../prisma/store/session/sessions.ts';
import { insertMember } from '../../prisma/store/user/insertMember.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { makeWorkspace, stackDatabase, TEST_HASH_COST } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

async function logIn(email: string, password: string | null, headers = fromElsewhere()) {
  return call('POST', '/api/auth/login', { body: { email, password }, headers });
}

async function person(workspaceId: string, role: Role) {
  const email = `${v7()}@example.com`;
  const password = 'a good password';
  await insertMember(stackDatabase(), workspaceId, {
    id: v7(),
    email,
    name: 'Bea',
    role,
    passwordHash: await hashPassword(password, TEST_HASH_COST),
  });
  return { email, password };
}

async function apiKey(workspaceId: string, expiresAt: Date | null = null) {
  const { key, hash, prefix } = makeApiKey();
  const id = v7();
  await insertApiKey(stackDatabase(), workspaceId, {
    id,
    name: 'k',
    hash,
    prefix,
    permissions: ['variables:read'],
    expiresAt,
  });
  return { key, id };
}

test('accepts an API key in either header, if both agree', async () => {
  const { apiKey: key } = await makeWorkspace();
  const other = await makeWorkspace();
  expect((await call('GET', '/api/users/me', { key })).status).toBe(200);
  expect((await call('GET', '/api/users/me', { token: key })).status).toBe(200);
  expect((await call('GET', '/api/users/me', { key, token: key })).status).toBe(200);
  const both = await call('GET', '/api/users/me', { key, token: other.apiKey });
  expect(both).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test.each([
  ['no credential', {}, 'Bearer realm="perdure"'],
  ['an unknown key', { 'x-api-key': `pdr_${'x'.repeat(40)}` }, 'Bearer realm="perdure", error="invalid_token"'],
  ['a key of another form', { 'x-api-key': 'pdr_x' }, 'Bearer realm="perdure", error="invalid_token"'],
  ['no key at all', { 'x-api-key': 'x' }, 'Bearer realm="perdure", error="invalid_token"'],
  ['a token that is none', { authorization: 'Bearer x.y.z' }, 'Bearer realm="perdure", error="invalid_token"'],
  ['another scheme', { authorization: 'Basic eDp5' }, 'Bearer realm="perdure"'],
])('%s: 401 with a challenge', async (_, headers, challenge) => {
  const answer = await call('GET', '/api/users/me', { headers: headers as Record<string, string> });
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED', status: 401 } });
  expect(answer.headers.get('www-authenticate')).toBe(challenge);
});

test('a key is invalid after its expiry or revocation', async () => {
  const { workspaceId } = await makeWorkspace();
  const expired = await apiKey(workspaceId, new Date(Date.now() - 1_000));
  expect((await call('GET', '/api/users/me', { key: expired.key })).status).toBe(401);
  const good = await apiKey(workspaceId, new Date(Date.now() + 60_000));
  expect((await call('GET', '/api/users/me', { key: good.key })).status).toBe(200);
  await revokeApiKey(stackDatabase(), good.id);
  expect((await call('GET', '/api/users/me', { key: good.key })).status).toBe(401);
});

test('a key can use exactly its permissions', async () => {
  const { workspaceId } = await makeWorkspace();
  const { key } = await apiKey(workspaceId);
  expect((await call('GET', '/api/variables', { key })).status).toBe(200);
  const refused = await call('POST', '/api/variables', { key, body: { name: 'a', value: 1 } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('the last use of a key is recorded, at most once a minute', async () => {
  const { workspaceId } = await makeWorkspace();
  const { key, id } = await apiKey(workspaceId);
  const lastUse = async () => (await stackDatabase().apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt;
  await call('GET', '/api/users/me', { key });
  const first = await poll(lastUse).toBeInstanceOf(Date).then(lastUse);
  await call('GET', '/api/users/me', { key });
  expect(await lastUse()).toEqual(first);
  await stackDatabase().apiKey.update({ where: { id }, data: { lastUsedAt: new Date(Date.now() - 61_000) } });
  await call('GET', '/api/users/me', { key });
  await poll(async () => Date.now() - ((await lastUse())?.getTime() ?? 0)).toBeLessThan(30_000);
});

test('the API key of a workspace reads its own identity', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const { body } = await call('GET', '/api/users/me', { key });
  expect(body).toEqual({
    apiKey: { id: expect.any(String), name: 'First key' },
    workspace: { id: workspaceId, name: expect.any(String) },
    permissions: [...PERMISSIONS],
  });
});

test('a person logs in with any spelling of the e-mail, and reads their identity', async () => {
  const { email, password, workspaceId } = await makeWorkspace();
  const { status, body } = await logIn(` ${email.toUpperCase()} `, password);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['access_token', 'refresh_token']);
  const me = await call('GET', '/api/users/me', { token: body.access_token });
  expect(me.body).toEqual({
    id: expect.any(String),
    email,
    name: expect.any(String),
    workspace: { id: workspaceId, name: expect.any(String) },
    role: 'owner',
    permissions: [...PERMISSIONS],
    workspaces: [{ id: workspaceId, name: expect.any(String), role: 'owner' }],
    twoFactorEnabled: false,
    hasPassword: true,
    hasSingleSignOn: false,
  });
});

test('permissions follow the role that the person has now, not the one in the token', async () => {
  const { workspaceId } = await makeWorkspace();
  const { email, password } = await person(workspaceId, 'builder');
  const { body } = await logIn(email, password);
  const me = () => call('GET', '/api/users/me', { token: body.access_token });
  expect((await me()).body.permissions).toEqual([...ROLE_PERMISSIONS.builder]);
  const { id } = (await me()).body;
  const where = { workspaceId_userId: { workspaceId, userId: id } };
  await stackDatabase().workspaceUser.update({ where, data: { role: 'consumer' } });
  expect((await me()).body).toMatchObject({ role: 'consumer', permissions: ['agents:use'] });
  expect((await call('GET', '/api/projects', { token: body.access_token })).status).toBe(403);
  await stackDatabase().workspaceUser.delete({ where });
  expect((await me()).status).toBe(401);
  expect((await call('POST', '/api/auth/refresh-token', { body: { refresh_token: body.refresh_token } })).status).toBe(
    401,
  );
});

test('a member of several workspaces enters the one joined first, or the requested one', async () => {
  const first = await makeWorkspace();
  const second = await makeWorkspace();
  const stranger = await makeWorkspace();
  const joined = await insertMember(stackDatabase(), second.workspaceId, {
    id: v7(),
    email: first.email,
    name: 'x',
    role: 'builder',
    passwordHash: 'of nobody: the person is known',
  });
  expect(joined.outcome).toBe('joined');
  const workspaceOf = async (workspaceId?: string) => {
    const body = { email: first.email, password: first.password, ...(workspaceId ? { workspaceId } : {}) };
    const answer = await call('POST', '/api/auth/login', { body, headers: fromElsewhere() });
    if (answer.status !== 200) return answer.status;
    return (await call('GET', '/api/users/me', { token: answer.body.access_token })).body.workspace.id;
  };
  expect(await workspaceOf()).toBe(first.workspaceId);
  expect(await workspaceOf(second.workspaceId)).toBe(second.workspaceId);
  expect(await workspaceOf(stranger.workspaceId)).toBe(401);
});

test('a refresh token gives access tokens repeatedly, until its session ends', async () => {
  const { email, password, workspaceId } = await makeWorkspace();
  const { body } = await logIn(email, password);
  const refresh = () => call('POST', '/api/auth/refresh-token', { body: { refresh_token: body.refresh_token } });
  for (const answer of [await refresh(), await refresh()]) {
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['access_token']);
    expect((await call('GET', '/api/users/me', { token: answer.body.access_token })).status).toBe(200);
  }
  const { sub: userId = '', sessionId } = jwt.decode(body.refresh_token) as jwt.JwtPayload;
  await endLogin(stackDatabase(), workspaceId, { userId, sessionId });
  expect((await refresh()).status).toBe(401);
  expect((await call('GET', '/api/users/me', { token: body.access_token })).status).toBe(401);
});

test('a token of one type is never accepted as the other', async () => {
  const { email, password } = await makeWorkspace();
  const { body } = await logIn(email, password);
  expect((await call('GET', '/api/users/me', { token: body.refresh_token })).status).toBe(401);
  const refreshed = await call('POST', '/api/auth/refresh-token', { body: { refresh_token: body.access_token } });
  expect(refreshed.status).toBe(401);
});

test('an unknown e-mail and a wrong password get the same answer', async () => {
  const { email } = await makeWorkspace();
  const wrong = await logIn(email, 'wrong');
  const unknown = await logIn(`${v7()}@example.com`, 'wrong');
  expect(wrong.status).toBe(401);
  const { requestId: _one, ...wrongBody } = wrong.body;
  const { requestId: _other, ...unknownBody } = unknown.body;
  expect(unknownBody).toEqual(wrongBody);
});

/** Simulates failed logins, because checking real passwords is slow by design. */
async function failed(subject: string, times: number): Promise<void> {
  const data = Array.from({ length: times }, () => ({ id: v7(), subject }));
  await stackDatabase().loginFailure.createMany({ data });
}

test('blocks an account after 10 failures, even for the right password', async () => {
  const { email, password } = await makeWorkspace();
  const subject = `email:${email}`;
  const begun = Date.now();
  await failed(subject, 7);
  // Simultaneous requests from many addresses must not exceed the limit.
  const answers = await Promise.all(Array.from({ length: 9 }, () => logIn(email, 'wrong')));
  const failures = answers.filter(({ status }) => status === 401).length;
  expect(failures).toBeGreaterThanOrEqual(3);
  // Each API checks two logins at a time, so one in parallel to the last allowed failure is not stopped.
  expect(failures).toBeLessThanOrEqual(2 + 2 * inject('stack').apis);
  const closed = await logIn(email, password);
  expect(closed).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  const seconds = Number(closed.headers.get('retry-after'));
  const elapsed = (Date.now() - begun) / 1_000;
  expect(seconds).toBeGreaterThanOrEqual(Math.floor(900 - elapsed));
  expect(seconds).toBeLessThanOrEqual(900);
  await stackDatabase().loginFailure.updateMany({
    where: { subject },
    data: { failedAt: new Date(Date.now() - 15 * 60_000 - 1_000) },
  });
  expect((await logIn(email, password)).status).toBe(200);
});

test('failed logins of strangers do not lock out a person from a known address', async () => {
  const { email, password } = await makeWorkspace();
  const home = fromElsewhere();
  expect((await logIn(email, password, home)).status).toBe(200);
  await failed(`email:${email}`, 10);
  expect((await logIn(email, password)).status).toBe(429);
  expect((await logIn(email, 'wrong', home)).status).toBe(401);
  expect((await logIn(email, password, home)).status).toBe(200);
  await failed(`ip:${loginSubjects(email, home['x-forwarded-for']).network}`, 10);
  expect((await logIn(email, password, home)).status).toBe(429);
});

test('blocks an address after 10 failures, for every account', async () => {
  const { email, password } = await makeWorkspace();
  const address = fromElsewhere();
  await failed(`ip:${loginSubjects(email, address['x-forwarded-for']).network}`, 7);
  for (let i = 0; i < 3; i++) expect((await logIn(`${v7()}@example.com`, 'wrong', address)).status).toBe(401);
  expect((await logIn(email, password, address)).status).toBe(429);
  expect((await logIn(email, password)).status).toBe(200);
});

test('counts IPv6 networks, too: blocks a /56 after 30 failures, a /48 after 100', async () => {
  const { email, password } = await makeWorkspace();
  const [a, b] = [randomBytes(2).toString('hex'), randomBytes(2).toString('hex')];
  const from = (rest: string) => ({ 'x-forwarded-for': `2001:db8:${Number(`0x${a}`).toString(16)}:${rest}::1` });
  const site = siteOf(from('0')['x-forwarded-for']);
  expect(site).toMatch(/\/48$/);
  for (let i = 0; i < 2; i++) {
    expect((await logIn(`${v7()}@example.com`, 'wrong', from(`12${i}0`))).status).toBe(401);
  }
  expect(await stackDatabase().loginFailure.count({ where: { subject: `ip:${site}` } })).toBe(2);
  await failed(`ip:${networksAround(from('1200')['x-forwarded-for'])?.household}`, 29);
  expect((await logIn(email, password, from('12ff'))).status).toBe(429);
  expect((await logIn(email, password, from('13ff'))).status).toBe(200);
  await failed(`ip:${site}`, 98);
  expect((await logIn(email, password, from('13ff'))).status).toBe(429);
  expect(
    (await logIn(email, password, { 'x-forwarded-for': `2001:db9:${Number(`0x${b}`).toString(16)}::1` })).status,
  ).toBe(200);
});

test('a proxy that forwards an invalid address does not break the count of failures', async () => {
  const address = Array.from({ length: 300 }, () => v7()).join('');
  const answer = await logIn('nobody@example.com', 'wrong', { 'x-forwarded-for': address });
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('old failures and expired sessions are removed', async () => {
  const { email, password, workspaceId } = await makeWorkspace();
  const longAgo = new Date(Date.now() - 16 * 60_000);
  const failure = v7({ msecs: longAgo.getTime() });
  await stackDatabase().loginFailure.create({ data: { id: failure, subject: `email:${email}`, failedAt: longAgo } });
  const session = v7();
  const { userId } = await stackDatabase().workspaceUser.findFirstOrThrow({ where: { workspaceId } });
  await stackDatabase().session.create({
    data: { id: session, workspaceId, userId, loginId: session, expiresAt: longAgo },
  });
  await logIn(email, 'wrong');
  expect(await stackDatabase().loginFailure.findUnique({ where: { id: failure } })).toBeNull();
  expect((await logIn(email, password)).status).toBe(200);
  expect(await stackDatabase().session.findUnique({ where: { id: session } })).toBeNull();
});

test('a NUL character in an e-mail is refused, not a failure of the service', async () => {
  expect(await logIn('a\u0000@example.com', 'x')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});
