import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { logIn, newMember } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

async function owner() {
  const workspace = await makeWorkspace();
  const { access_token } = await logIn(workspace, workspace);
  const call = api(workspace.url, access_token);
  const { body: me } = await call('GET', '/api/users/me');
  const { id: other } = await newMember(workspace, 'builder');
  const { body: key } = await api(workspace.url, workspace.apiKey)('POST', '/api/api-keys', {
    body: { name: 'k', permissions: ['projects:read'] },
  });
  const asked = {
    createKey: (headers = {}) =>
      call('POST', '/api/api-keys', { body: { name: 'n', permissions: ['projects:read'] }, headers }),
    rotateKey: () => call('POST', `/api/api-keys/${key.id}/rotate`, { body: {} }),
    addOwner: () =>
      call('POST', '/api/workspace/users', { body: { email: `${randomUUID()}@x.example`, role: 'owner' } }),
    makeOwner: () => call('PATCH', `/api/workspace/users/${other}`, { body: { role: 'owner' } }),
    resetFactor: () => call('POST', `/api/workspace/users/${other}/2fa/reset`, {}),
  };
  const confirm = (body: object, headers = fromElsewhere()) => call('POST', '/api/auth/confirm', { body, headers });
  const becomeStale = () =>
    stackDatabase().session.updateMany({
      where: { userId: me.id },
      data: { provedAt: new Date(Date.now() - 5 * 60_000 - 1_000) },
    });
  return { workspace, call, me, asked, confirm, becomeStale };
}

test('requires a recent proof of identity for keys, owners and the second factor of others', async () => {
  const { workspace, call, asked, confirm, becomeStale } = await owner();
  expect((await asked.createKey()).status).toBe(201);
  await becomeStale();
  for (const [name, ask] of Object.entries(asked)) {
    const refused = await ask();
    expect([name, refused.status, refused.body.code]).toEqual([name, 401, 'CONFIRMATION_REQUIRED']);
    expect(refused.headers.get('www-authenticate')).toContain('max_age="300"');
  }
  const consumer = { email: `${randomUUID()}@x.example`, role: 'consumer' };
  expect((await call('POST', '/api/workspace/users', { body: consumer })).status).toBe(201);
  // The rejection is not stored under the Idempotency-Key.
  const headers = { 'idempotency-key': randomUUID() };
  expect((await asked.createKey(headers)).status).toBe(401);
  const confirmed = await confirm({ password: workspace.password });
  expect(confirmed.status).toBe(200);
  expect(Math.abs(Date.parse(confirmed.body.confirmedUntil) - Date.now() - 5 * 60_000)).toBeLessThan(60_000);
  expect((await asked.createKey(headers)).status).toBe(201);
  for (const ask of Object.values(asked)) expect((await ask()).status).toBeLessThan(300);
});

test('a session by a link confirms by a code; a key needs none', async () => {
  const { workspace, call, me, confirm, becomeStale, asked } = await owner();
  const { body: enrolment } = await call('POST', '/api/users/me/2fa/enroll', {
    body: { password: workspace.password },
    headers: fromElsewhere(),
  });
  const totp = new TOTP({ secret: Secret.fromBase32(enrolment.secret) });
  const token = totp.generate();
  const { body: codes } = await call('POST', '/api/users/me/2fa/confirm', {
    body: { token },
    headers: fromElsewhere(),
  });
  await becomeStale();
  expect((await confirm({ token: codes.backupCodes[0] })).status).toBe(200);
  expect((await asked.createKey()).status).toBe(201);

  const linked = await newMember(workspace, 'owner');
  const key = { name: 'n', permissions: ['projects:read'] };
  expect((await linked.call('POST', '/api/api-keys', { body: key })).body.code).toBe('CONFIRMATION_REQUIRED');
  expect((await confirm({ token: codes.backupCodes[0] })).status).toBe(400);
  const admin = api(workspace.url, workspace.apiKey);
  expect((await admin('POST', '/api/api-keys', { body: key })).status).toBe(201);
  expect((await admin('POST', '/api/auth/confirm', { body: { password: 'x' } })).status).toBe(403);
  expect(await stackDatabase().loginFailure.count({ where: { subject: `email:${me.email}` } })).toBe(1);
});

test('wrong confirmations count as failed logins', async () => {
  const { workspace, me, confirm } = await owner();
  const wrong = await confirm({ password: 'a wrong one' });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } });
  const subject = `email:${me.email}`;
  expect(await stackDatabase().loginFailure.count({ where: { subject } })).toBe(1);
  const data = Array.from({ length: 9 }, () => ({ id: randomUUID(), subject }));
  await stackDatabase().loginFailure.createMany({ data });
  expect((await confirm({ password: workspace.password })).status).toBe(429);
});

test('the proof remains valid after a switch of the workspace, and sessions show their last use', async () => {
  const { workspace, call } = await owner();
  const { workspaceId } = workspace;
  const { body } = await call('POST', '/api/auth/switch-workspace', { body: { workspaceId } });
  const there = api(workspace.url, body.access_token);
  const key = { name: 'n', permissions: ['projects:read'] };
  expect((await there('POST', '/api/api-keys', { body: key })).status).toBe(201);
  const before = (await there('GET', '/api/users/me/sessions')).body[0];
  await api(workspace.url)('POST', '/api/auth/refresh-token', { body: { refresh_token: body.refresh_token } });
  const after = (await there('GET', '/api/users/me/sessions')).body[0];
  expect(Date.parse(after.refreshedAt)).toBeGreaterThan(Date.parse(before.refreshedAt));
});
