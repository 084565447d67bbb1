// test: long
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { inject } from '../setup/stack/inject.ts';
import { confirmed, joinAs, logIn, newMember } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

// A user owns an address after proving it or by the operator's word, and joins a workspace by accepting an invitation.

const run = promisify(execFile);

/** Each command is a process of its own, and passwords are hashed at their real cost. */
const WITH_COMMANDS_MS = 180_000;

async function admin(...args: string[]) {
  const main = join(PROJECT_ROOT, 'dist/api/admin/main.js');
  const env = { ...process.env, DATABASE_URL: '', PUBLIC_URL: '', PERDURE_DATA_DIR: inject('stack').dataDir };
  return JSON.parse((await run(process.execPath, [main, ...args], { env })).stdout);
}

async function tenant() {
  const workspace = await makeWorkspace();
  return { ...workspace, call: api(workspace.url, workspace.apiKey), nobody: api(workspace.url) };
}

const OF_THE_SQUATTER = 'attacker-knows-this-1';

/** A tenant has invited the address of somebody else and controls its account, which has created a key. */
async function squatted() {
  const tenantB = await tenant();
  const { email, id, call, access_token } = await confirmed(await newMember(tenantB, 'owner', OF_THE_SQUATTER));
  const key = await call('POST', '/api/api-keys', { body: { name: 'k', permissions: ['projects:read'] } });
  expect(key.status).toBe(201);
  const keyCall = api(tenantB.url, key.body.apiKey);
  await stackDatabase().secondFactor.create({
    data: { userId: id, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
  });
  return { tenantB, email, id, call, access_token, keyCall };
}

type Squatted = Awaited<ReturnType<typeof squatted>>;

async function expectClean({ tenantB, email, call, keyCall }: Squatted, workspaceId: string, password: string) {
  expect((await call('POST', '/api/auth/switch-workspace', { body: { workspaceId } })).status).toBe(401);
  expect((await keyCall('GET', '/api/projects')).status).toBe(401);
  const body = { email, workspaceId };
  const login = (given: string) =>
    tenantB.nobody('POST', '/api/auth/login', { body: { ...body, password: given }, headers: fromElsewhere() });
  expect((await login(OF_THE_SQUATTER)).status).toBe(401);
  expect(await login(password)).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
}

test(
  'a squatted address does not get the workspace that the operator makes for it',
  async () => {
    const pre = await squatted();
    const made = await admin('workspace', 'create', '--name', 'VictimCo', '--email', pre.email);
    expect(made).toMatchObject({ takenOver: true, password: expect.any(String) });
    await expectClean(pre, made.workspaceId, made.password);
    // The real user enters their own workspace, and the squatter's only by accepting the invitation.
    const tokens = await logIn(pre.tenantB, { email: pre.email, password: made.password });
    const victim = api(pre.tenantB.url, tokens.access_token);
    const me = await victim('GET', '/api/users/me');
    expect(me.body).toMatchObject({ workspaces: [{ id: made.workspaceId, role: 'owner' }], twoFactorEnabled: false });
    expect((await victim('GET', '/api/users/me/invitations')).body).toMatchObject([
      { workspace: { id: pre.tenantB.workspaceId }, role: 'owner', expiresAt: null },
    ]);
  },
  WITH_COMMANDS_MS,
);

test(
  'a squatted address does not get the place that the operator gives it, now or after a new password',
  async () => {
    const [pre, tenantA] = [await squatted(), await tenant()];
    const invited = await tenantA.call('POST', '/api/workspace/users', { body: { email: pre.email, role: 'owner' } });
    expect(invited.status).toBe(201);
    const place = ['--workspace', tenantA.workspaceId, '--email', pre.email, '--name', 'Victim', '--role', 'owner'];
    const made = await admin('user', 'create', ...place);
    expect(made).toMatchObject({ takenOver: true, password: expect.any(String) });
    await expectClean(pre, tenantA.workspaceId, made.password);
    expect((await tenantA.call('GET', `/api/workspace/users?filterBy=email:${pre.email}`)).body).toMatchObject([
      { id: made.userId, isInvited: false, name: 'Victim' },
    ]);

    const given = await admin('user', 'set-password', '--email', pre.email);
    expect(given).not.toHaveProperty('takenOver');
    const renewed = await pre.tenantB.call('POST', `/api/workspace/users/${pre.id}/invitation`, {});
    expect([renewed.status, renewed.body.code]).toEqual([409, 'CONFLICT']);
    await expectClean(pre, tenantA.workspaceId, given.password);
  },
  WITH_COMMANDS_MS,
);

test(
  'a password set by the operator takes over a user whom a workspace has only named',
  async () => {
    const pre = await squatted();
    const given = await admin('user', 'set-password', '--email', pre.email);
    expect(given).toMatchObject({ takenOver: true, userId: pre.id });
    await expectClean(pre, pre.tenantB.workspaceId, given.password);
    expect((await pre.tenantB.call('POST', `/api/workspace/users/${pre.id}/invitation`, {})).status).toBe(409);
    const again = await admin('user', 'set-password', '--email', pre.email);
    expect(again).toEqual({ userId: pre.id, email: pre.email, password: expect.any(String) });
  },
  WITH_COMMANDS_MS,
);

test('adding a person of another workspace reveals nothing about them and changes nothing', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const ta = await stackDatabase().user.findUniqueOrThrow({ where: { email: tenantA.email } });
  const enrolled = { secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() };
  await stackDatabase().secondFactor.create({ data: { userId: ta.id, ...enrolled } });
  const invite = (email: string) =>
    tenantB.call('POST', '/api/workspace/users', { body: { email, name: 'Typed', role: 'consumer' } });
  const [known, unknown] = [await invite(tenantA.email), await invite(`${randomUUID()}@x.example`)];
  const shape = ({ body }: typeof known) => ({
    ...body,
    id: typeof body.id,
    email: typeof body.email,
    createdAt: typeof body.createdAt,
    invitation: Object.fromEntries(Object.entries(body.invitation).map(([key, value]) => [key, value === null])),
  });
  expect([known.status, shape(known)]).toEqual([unknown.status, shape(unknown)]);
  expect(known.body).toMatchObject({ name: 'Typed', twoFactorEnabled: null, isInvited: true });
  expect(known.body.id).not.toBe(ta.id);
  expect((await tenantB.call('GET', `/api/workspace/users/${ta.id}`)).status).toBe(404);

  // A mistyped password is logged only in the user's own workspace, even for a login to another one.
  const wrong = (workspaceId?: string) =>
    tenantA.nobody('POST', '/api/auth/login', {
      body: { email: tenantA.email, password: 'wrong', ...(workspaceId ? { workspaceId } : {}) },
      headers: fromElsewhere(),
    });
  await wrong();
  await wrong(tenantB.workspaceId);
  const denied = (of: typeof tenantA) => of.call('GET', '/api/audit-log?filterBy=action:login,outcome:denied');
  expect((await denied(tenantB)).body).toEqual([]);
  expect((await denied(tenantA)).body).toHaveLength(2);

  // The token alone does not log in; the admins of the user's own workspace keep their rights.
  const { token } = known.body.invitation;
  const entered = await tenantB.nobody('POST', '/api/auth/login-with-token', { body: { token } });
  expect(entered.status).toBe(401);
  expect((await tenantA.call('POST', `/api/workspace/users/${ta.id}/2fa/reset`, {})).status).toBe(200);
});

async function handed(tenantB: Awaited<ReturnType<typeof tenant>>, email: string) {
  const invited = await tenantB.call('POST', '/api/workspace/users', {
    body: { email, name: 'Typed', role: 'builder' },
  });
  const { token } = invited.body.invitation as { token: string };
  const enter = (password: string | undefined, headers = fromElsewhere()) =>
    tenantB.nobody('POST', '/api/auth/login-with-token', {
      body: { token, ...(password === undefined ? {} : { password }) },
      headers,
    });
  const read = () => tenantB.nobody('POST', '/api/auth/read-login-token', { body: { token } });
  return { enter, read };
}

test('a handed-over token does not reveal whether its address has an account', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const stranger = `${randomUUID()}@x.example`;
  const [known, unknown] = [await handed(tenantB, tenantA.email), await handed(tenantB, stranger)];
  const about = { workspace: { id: tenantB.workspaceId }, isSingleSignOn: false, needsPassword: true };
  expect(await known.read()).toMatchObject({ status: 200, body: { email: tenantA.email, ...about } });
  expect(await unknown.read()).toMatchObject({ status: 200, body: { email: stranger, ...about } });
  const shown = ({ status, body: { requestId: _, ...body }, headers }: Awaited<ReturnType<typeof known.enter>>) => {
    return { status, body, headers: [...headers.keys()].toSorted() };
  };
  for (const password of [undefined, 'a', 'Password123', 'Typed']) {
    const [one, other] = [shown(await known.enter(password)), shown(await unknown.enter(password))];
    expect(one).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(other).toEqual(one);
  }
  const used = await tenantB.nobody('POST', '/api/auth/login-with-token', { body: { token: 'unknown' } });
  expect(shown(used).body).toEqual(shown(await known.enter('Password123')).body);
});

test('refused passwords of a handed-over token are counted, whether or not its address has an account', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const tokens = [await handed(tenantB, tenantA.email), await handed(tenantB, `${randomUUID()}@x.example`)];
  const statuses = await Promise.all(
    tokens.map(async ({ enter }) => {
      const seen: number[] = [];
      while (seen.at(-1) !== 429) seen.push((await enter('Password123')).status);
      return seen;
    }),
  );
  expect(statuses[0]).toEqual([...Array(10).fill(401), 429]);
  expect(statuses[1]).toEqual(statuses[0]);
});

test('a person with an account takes the place by a handed-over token and their own password, once', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const { enter } = await handed(tenantB, tenantA.email);
  const answers = await Promise.all([enter(tenantA.password), enter(tenantA.password)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const { access_token } = answers.find(({ status }) => status === 200)?.body ?? {};
  expect((await api(tenantB.url, access_token)('GET', '/api/users/me')).body).toMatchObject({
    workspace: { id: tenantB.workspaceId },
    role: 'builder',
    workspaces: [{ id: tenantA.workspaceId }, { id: tenantB.workspaceId }],
  });
  expect((await enter(tenantA.password)).status).toBe(401);
});

test('a handed-over token asks for the second factor of the account', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const { id } = await stackDatabase().user.findUniqueOrThrow({ where: { email: tenantA.email } });
  await stackDatabase().secondFactor.create({
    data: { userId: id, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
  });
  const { enter } = await handed(tenantB, tenantA.email);
  expect(await enter(tenantA.password)).toMatchObject({
    status: 200,
    body: { requires2FA: true, sessionToken: expect.any(String) },
  });
});

test('only the invited person accepts, declines or leaves', async () => {
  const [tenantA, tenantB, tenantC] = [await tenant(), await tenant(), await tenant()];
  const { call, id, tokens } = await joinAs(tenantB, tenantA, 'builder');
  expect((await tenantB.call('GET', `/api/workspace/users/${id}`)).body).toMatchObject({ isInvited: false });
  expect((await tenantB.call('GET', '/api/audit-log?filterBy=action:acceptInvitation')).body).toHaveLength(1);
  const { workspaceId } = tenantB;
  const { body } = await call('POST', '/api/auth/switch-workspace', { body: { workspaceId } });
  const there = api(tenantB.url, body.access_token);
  const leave = (of: string) => call('DELETE', `/api/users/me/workspaces/${of}`);
  expect(await leave(workspaceId)).toMatchObject({ status: 200, body: { id: workspaceId, deleted: true } });
  expect((await there('GET', '/api/users/me')).status).toBe(401);
  expect((await leave(workspaceId)).status).toBe(404);
  expect((await leave(tenantA.workspaceId)).body.code).toBe('CONFLICT');
  expect((await call('GET', '/api/users/me')).body.workspaces).toHaveLength(1);

  const { body: invited } = await tenantC.call('POST', '/api/workspace/users', {
    body: { email: tenantA.email, role: 'builder' },
  });
  const { body: listed } = await call('GET', '/api/users/me/invitations');
  expect(listed).toMatchObject([{ id: invited.id, workspace: { id: tenantC.workspaceId }, role: 'builder' }]);
  const stranger = api(tenantB.url, (await logIn(tenantB, tenantB)).access_token);
  expect((await stranger('POST', `/api/users/me/invitations/${invited.id}/accept`)).status).toBe(404);
  expect((await stranger('DELETE', `/api/users/me/invitations/${invited.id}`)).status).toBe(404);
  expect((await call('DELETE', `/api/users/me/invitations/${invited.id}`)).status).toBe(200);
  expect((await tenantC.call('GET', '/api/workspace/users')).body).toHaveLength(1);
  expect((await api(tenantA.url, tenantA.apiKey)('GET', '/api/users/me/invitations')).body).toEqual([]);
  expect(tokens.refresh_token).toEqual(expect.any(String));
});

test('a person without a workspace can join again by an invitation', async () => {
  const [tenantA, tenantB] = [await tenant(), await tenant()];
  const second = await newMember(tenantA, 'owner');
  const { access_token } = await logIn(tenantA, tenantA);
  const { body: me } = await api(tenantA.url, access_token)('GET', '/api/users/me');
  expect((await second.call('DELETE', `/api/workspace/users/${me.id}`)).status).toBe(200);
  await tenantB.call('POST', '/api/workspace/users', { body: { email: tenantA.email, role: 'builder' } });
  const login = (workspaceId?: string) =>
    tenantA.nobody('POST', '/api/auth/login', {
      body: { email: tenantA.email, password: tenantA.password, ...(workspaceId ? { workspaceId } : {}) },
      headers: fromElsewhere(),
    });
  expect((await login()).body.detail).toContain(tenantB.workspaceId);
  expect((await login(tenantB.workspaceId)).status).toBe(200);
});

test('an invitation is changed, renewed and withdrawn before it is accepted', async () => {
  const { call, nobody } = await tenant();
  const email = `${randomUUID()}@x.example`;
  const { body } = await call('POST', '/api/workspace/users', { body: { email, role: 'consumer' } });
  const place = `/api/workspace/users/${body.id}`;
  expect((await call('PATCH', place, { body: { role: 'builder' } })).body).toMatchObject({ role: 'builder' });
  expect((await call('POST', `${place}/2fa/reset`, {})).status).toBe(409);
  const renewed = await call('POST', `${place}/invitation`, {});
  const enter = (token: string) =>
    nobody('POST', '/api/auth/login-with-token', {
      body: { token, password: 'turnip lantern gallop 42' },
      headers: fromElsewhere(),
    });
  expect((await enter(body.invitation.token)).status).toBe(401);
  const [one, two] = await Promise.all([enter(renewed.body.token), enter(renewed.body.token)]);
  expect([one.status, two.status].sort()).toEqual([200, 401]);
  expect((await call('GET', place)).body).toMatchObject({ role: 'builder', isInvited: false, twoFactorEnabled: false });

  const other = await call('POST', '/api/workspace/users', {
    body: { email: `${randomUUID()}@x.example`, role: 'consumer' },
  });
  expect((await call('DELETE', `/api/workspace/users/${other.body.id}`)).status).toBe(200);
  expect((await enter(other.body.invitation.token)).status).toBe(401);
  expect((await call('GET', `/api/workspace/users/${other.body.id}`)).status).toBe(404);
});
