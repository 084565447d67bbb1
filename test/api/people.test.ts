// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { inject } from '../setup/stack/inject.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { confirmed, joinAs, logIn, newMember } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase, type TestWorkspace } from '../setup/workspace/workspace.ts';

const someEmail = () => `ann-${randomUUID()}@test.local`;

async function home() {
  const workspace = await makeWorkspace();
  return { workspace, call: api(workspace.url, workspace.apiKey), nobody: api(workspace.url) };
}

async function firstOwner({ url, apiKey, email }: TestWorkspace): Promise<string> {
  const { body } = await api(url, apiKey)('GET', `/api/workspace/users?filterBy=email:${email}`);
  return body[0].id;
}

test('somebody new is invited, comes in once by the token with a new password and logs in by it', async () => {
  const { workspace, call, nobody } = await home();
  const email = someEmail();
  const added = await call('POST', '/api/workspace/users', {
    body: { email: ` ${email} `, name: 'Ann', role: 'builder' },
  });
  expect(added).toMatchObject({
    status: 201,
    body: { email, name: 'Ann', role: 'builder', twoFactorEnabled: null, isInvited: true },
  });
  const { id, invitation } = added.body;
  const { publicUrl } = inject('stack');
  const link = publicUrl && new URL(`/console/verify-token?token=${invitation.token}`, publicUrl).href;
  expect(invitation.url).toBe(link);
  const password = 'a password of Ann';
  const enter = (given: string | undefined) =>
    nobody('POST', '/api/auth/login-with-token', {
      body: { token: invitation.token, ...(given === undefined ? {} : { password: given }) },
      headers: fromElsewhere(),
    });
  expect((await enter(undefined)).status).toBe(401);
  expect((await enter('Password123')).status).toBe(401);
  const { body: tokens } = await enter(password);
  expect((await enter(password)).status).toBe(401);

  const ann = api(workspace.url, tokens.access_token);
  expect((await ann('GET', '/api/users/me')).body).toMatchObject({
    id,
    email,
    role: 'builder',
    hasPassword: true,
    hasSingleSignOn: false,
  });
  expect((await ann('GET', '/api/workspace/users')).status).toBe(403);
  const common = await ann('POST', '/api/users/me/password', { body: { password: 'Password123' } });
  expect(common).toMatchObject({
    status: 400,
    body: {
      detail: expect.stringContaining('The new password cannot be used'),
      errors: [{ path: 'password', message: expect.stringContaining('This is a commonly used password.') }],
    },
  });
  const again = await logIn(workspace, { email, password });
  const wrong = { password: 'another password', currentPassword: 'not it' };
  const refused = await ann('POST', '/api/users/me/password', { body: wrong, headers: fromElsewhere() });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'currentPassword' }] } });
  const changed = await ann('POST', '/api/users/me/password', { body: { ...wrong, currentPassword: password } });
  expect(changed.status).toBe(200);
  expect((await api(workspace.url, again.access_token)('GET', '/api/users/me')).status).toBe(401);
  expect((await ann('GET', '/api/users/me')).status).toBe(200);
  expect((await call('GET', `/api/workspace/users/${id}`)).body).toMatchObject({ id, isInvited: false });
  expect((await call('POST', '/api/users/me/password', { body: { password } })).status).toBe(403);
});

test('people are listed, filtered and read, of this workspace alone', async () => {
  const { workspace, call } = await home();
  const { id } = await newMember(workspace, 'consumer');
  const { body: all } = await call('GET', '/api/workspace/users');
  expect(all.map(({ role }: { role: string }) => role)).toEqual(['consumer', 'owner']);
  expect((await call('GET', '/api/workspace/users?filterBy=role:consumer')).body).toMatchObject([{ id }]);
  expect((await call('GET', '/api/workspace/users?limit=1')).headers.get('link')).toContain('rel="next"');
  const elsewhere = await home();
  expect((await elsewhere.call('GET', `/api/workspace/users/${id}`)).status).toBe(404);
  expect((await elsewhere.call('PATCH', `/api/workspace/users/${id}`, { body: { role: 'owner' } })).status).toBe(404);
  expect((await elsewhere.call('DELETE', `/api/workspace/users/${id}`)).status).toBe(404);
  expect((await call('GET', `/api/workspace/users/${id}`)).body.role).toBe('consumer');
});

test('a person of another workspace joins unchanged, and twice is a conflict', async () => {
  const [here, there] = [await home(), await home()];
  const body = { email: there.workspace.email, name: 'Not their name', role: 'consumer' };
  const invited = await here.call('POST', '/api/workspace/users', { body });
  expect(invited).toMatchObject({ status: 201, body: { role: 'consumer', isInvited: true, name: 'Not their name' } });
  expect((await here.call('POST', '/api/workspace/users', { body })).body.code).toBe('CONFLICT');
  const person = await logIn(here.workspace, there.workspace);
  const accept = () =>
    api(here.workspace.url, person.access_token)('POST', `/api/users/me/invitations/${invited.body.id}/accept`);
  expect([(await accept()).status, (await accept()).status]).toEqual([200, 404]);
  expect((await here.call('POST', '/api/workspace/users', { body })).body.code).toBe('CONFLICT');
  const { workspaceId } = here.workspace;
  const { access_token } = await logIn(here.workspace, { ...there.workspace, workspaceId });
  expect((await api(here.workspace.url, access_token)('GET', '/api/users/me')).body).toMatchObject({
    workspace: { id: workspaceId },
    role: 'consumer',
    workspaces: [
      { id: there.workspace.workspaceId, role: 'owner' },
      { id: workspaceId, role: 'consumer' },
    ],
  });
});

test('a person changes the name by which they are shown; a key has none, and nothing else is changed by it', async () => {
  const { workspace, call } = await home();
  const ann = await newMember(workspace, 'consumer');
  const name = 'Ann O’Neil';
  const changed = await ann.call('PATCH', '/api/users/me', { body: { name } });
  expect(changed).toMatchObject({ status: 200, body: { id: ann.id, email: ann.email, name, role: 'consumer' } });
  expect((await ann.call('GET', '/api/users/me')).body).toEqual(changed.body);
  expect((await ann.call('PUT', '/api/users/me')).body).toEqual(changed.body);
  expect((await call('GET', `/api/workspace/users/${ann.id}`)).body).toMatchObject({ name, email: ann.email });
  for (const wrong of ['', '   ', ' Ann', 'Ann\nOwner', 'a'.repeat(201)]) {
    const refused = await ann.call('PATCH', '/api/users/me', { body: { name: wrong } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } });
  }
  const others = { body: { name, role: 'owner' } };
  expect((await ann.call('PATCH', '/api/users/me', others)).status).toBe(400);
  expect((await call('PATCH', '/api/users/me', { body: { name } })).status).toBe(403);
  const entries = await call('GET', `/api/audit-log?filterBy=action:updateCurrentUser,actor:${ann.id},outcome:success`);
  expect(entries.body[0]).toMatchObject({ resourceType: 'workspaceUser', actor: { id: ann.id, name } });
});

test('a person who was only invited by one workspace is not taken over into another', async () => {
  const [here, there] = [await home(), await home()];
  const { email, id, password, call: person } = await newMember(here.workspace, 'consumer');
  const invited = await there.call('POST', '/api/workspace/users', { body: { email, name: 'X', role: 'owner' } });
  expect(invited.status).toBe(201);
  const { token } = invited.body.invitation;
  const entered = await there.nobody('POST', '/api/auth/login-with-token', {
    body: { token, password },
    headers: fromElsewhere(),
  });
  expect(entered.status).toBe(401);
  expect((await person('GET', '/api/users/me/invitations')).body).toEqual([]);
  expect((await person('POST', `/api/users/me/invitations/${invited.body.id}/accept`)).status).toBe(404);
  expect((await there.call('GET', '/api/workspace/users?filterBy=role:owner')).body).toMatchObject([
    { name: 'X', isInvited: true, twoFactorEnabled: null },
    { isInvited: false },
  ]);
  expect((await here.call('DELETE', `/api/workspace/users/${id}`)).status).toBe(200);
  const back = await here.call('POST', '/api/workspace/users', { body: { email, name: 'Again', role: 'builder' } });
  expect(back).toMatchObject({ status: 201, body: { id, name: 'Again', role: 'builder', isInvited: true } });
});

test('one Idempotency-Key, one person, one invitation that nobody else is shown', async () => {
  const { workspace, call } = await home();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { email: someEmail(), name: 'Ann', role: 'builder' };
  const add = () => call('POST', '/api/workspace/users', { body, headers });
  const [first, again] = [await add(), await add()];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const kept = await stackDatabase().$queryRaw<object[]>`
    SELECT * FROM idempotency_keys WHERE workspace_id = ${workspace.workspaceId}::uuid`;
  expect(JSON.stringify(kept)).not.toContain(first.body.invitation.token);
});

test('callers cannot assign a role with more permissions than their own', async () => {
  const { workspace, call } = await home();
  const admin = await keyOf(workspace, 'workspace:admin', 'agents:use');
  const add = (role: string) => admin.call('POST', '/api/workspace/users', { body: { email: someEmail(), role } });
  expect((await add('owner')).status).toBe(403);
  expect((await add('builder')).status).toBe(403);
  const { body: made } = await add('consumer');
  const raise = await admin.call('PATCH', `/api/workspace/users/${made.id}`, { body: { role: 'owner' } });
  expect(raise).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  const owner = await firstOwner(workspace);
  expect((await admin.call('POST', `/api/workspace/users/${owner}/2fa/reset`, {})).status).toBe(403);
  expect((await call('PATCH', `/api/workspace/users/${made.id}`, { body: { role: 'owner' } })).status).toBe(200);
});

test('the last owner stays', async () => {
  const { workspace, call } = await home();
  const owner = await firstOwner(workspace);
  const demoted = await call('PATCH', `/api/workspace/users/${owner}`, { body: { role: 'builder' } });
  expect([demoted.status, demoted.body.code]).toEqual([409, 'CONFLICT']);
  expect((await call('DELETE', `/api/workspace/users/${owner}`)).status).toBe(409);
  expect((await call('PATCH', `/api/workspace/users/${owner}`, { body: { role: 'owner' } })).status).toBe(200);
  expect((await call('PATCH', `/api/workspace/users/${owner}`, { body: {} })).body.role).toBe('owner');
  const second = await newMember(workspace, 'owner');
  expect((await second.call('DELETE', `/api/workspace/users/${owner}`)).status).toBe(200);
  expect((await second.call('DELETE', `/api/workspace/users/${second.id}`)).status).toBe(409);
});

test.each(['PATCH', 'DELETE'])('owners who remove each other by %s at once leave one', async (method) => {
  for (let round = 0; round < 5; round += 1) {
    const { workspace, call } = await home();
    const people = await Promise.all([0, 1, 2].map(() => newMember(workspace, 'owner')));
    const first = { id: await firstOwner(workspace), call: api(workspace.url, workspace.apiKey) };
    const owners = [first, ...people];
    const body = method === 'PATCH' ? { body: { role: 'builder' } } : {};
    const answers = await Promise.all(
      owners.map(({ id }, index) =>
        (owners[(index + 1) % 4] ?? first).call(method, `/api/workspace/users/${id}`, body),
      ),
    );
    for (const { status } of answers) expect([200, 401, 403, 409]).toContain(status);
    const { body: left } = await call('GET', '/api/workspace/users?filterBy=role:owner');
    expect(left.length).toBe(4 - answers.filter(({ status }) => status === 200).length);
    expect(left.length).toBeGreaterThan(0);
  }
});

test('a role counts from the next request on', async () => {
  const { workspace, call } = await home();
  const { id, ...person } = await newMember(workspace, 'builder');
  expect((await person.call('GET', '/api/projects')).status).toBe(200);
  await call('PATCH', `/api/workspace/users/${id}`, { body: { role: 'consumer' } });
  expect((await person.call('GET', '/api/projects')).status).toBe(403);
});

test('a removed person loses sessions, tokens and grants; keys stay valid unless revoked', async () => {
  const { workspace, call, nobody } = await home();
  const { projectId } = workspace;
  const agent = await call('POST', `/api/projects/${projectId}/agents/upsert`, {
    body: { slug: 'a', instructions: 'i', model: 'm' },
  });
  const made = async (person: Awaited<ReturnType<typeof newMember>>) => {
    await confirmed(person);
    const key = await person.call('POST', '/api/api-keys', {
      body: { name: 'of them', permissions: ['projects:read'] },
    });
    await grant(workspace, agent.body.id, { userId: person.id });
    return key.body;
  };
  const works = async (key: string) => (await api(workspace.url, key)('GET', '/api/projects')).status;
  const [kept, revoked] = [await newMember(workspace, 'owner'), await newMember(workspace, 'owner')];
  const [keyOfKept, keyOfRevoked] = [await made(kept), await made(revoked)];
  expect(keyOfKept.createdBy).toMatchObject({ id: kept.id });
  const own = await call('GET', `/api/api-keys?filterBy=createdById:${kept.id}`);
  expect(own.body).toMatchObject([{ id: keyOfKept.id }]);

  expect((await call('DELETE', `/api/workspace/users/${kept.id}`)).body).toEqual({ id: kept.id, deleted: true });
  expect((await call('DELETE', `/api/workspace/users/${revoked.id}?apiKeys=revoke`)).status).toBe(200);
  expect((await kept.call('GET', '/api/users/me')).status).toBe(401);
  const refresh = await nobody('POST', '/api/auth/refresh-token', { body: { refresh_token: kept.refresh_token } });
  expect(refresh.status).toBe(401);
  expect((await call('GET', `/api/agents/${agent.body.id}/grants`)).body).toEqual([]);
  expect([await works(keyOfKept.apiKey), await works(keyOfRevoked.apiKey)]).toEqual([200, 401]);
  expect((await call('DELETE', `/api/workspace/users/${kept.id}`)).status).toBe(404);
});

test('a renewed invitation invalidates the old one', async () => {
  const { workspace, call, nobody } = await home();
  const password = 'forgotten, alas';
  const person = await newMember(workspace, 'builder', password);
  const renewed = await call('POST', `/api/workspace/users/${person.id}/invitation`, {});
  expect(renewed).toMatchObject({ status: 201, body: { token: expect.any(String) } });
  expect((await person.call('GET', '/api/users/me')).status).toBe(401);
  const login = await nobody('POST', '/api/auth/login', {
    body: { email: person.email, password },
    headers: fromElsewhere(),
  });
  expect(login.status).toBe(401);
  const { token } = renewed.body;
  const read = await nobody('POST', '/api/auth/read-login-token', { body: { token } });
  expect(read.body).toMatchObject({ email: person.email, needsPassword: true, isSingleSignOn: false });
  const enter = (given: string) =>
    nobody('POST', '/api/auth/login-with-token', { body: { token, password: given }, headers: fromElsewhere() });
  expect((await enter('Password123')).status).toBe(401);
  const another = 'turnip lantern gallop 42';
  expect((await enter(another)).status).toBe(200);
  await logIn(workspace, { email: person.email, password: another });
  const owner = await firstOwner(workspace);
  expect((await call('POST', `/api/workspace/users/${owner}/invitation`, {})).status).toBe(409);
  expect((await nobody('POST', '/api/auth/login-with-token', { body: { token: 'none' } })).status).toBe(401);
});

test('a second factor is reset for a member of this workspace alone', async () => {
  const { workspace, call } = await home();
  const { id } = await newMember(workspace, 'builder');
  await stackDatabase().secondFactor.create({
    data: { userId: id, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
  });
  expect((await call('GET', `/api/workspace/users/${id}`)).body.twoFactorEnabled).toBe(true);
  const reset = await call('POST', `/api/workspace/users/${id}/2fa/reset`, {});
  expect(reset).toMatchObject({ status: 200, body: { id, twoFactorEnabled: false } });

  const other = await home();
  const joined = await joinAs(workspace, other.workspace, 'consumer');
  expect((await call('POST', `/api/workspace/users/${joined.id}/2fa/reset`, {})).status).toBe(409);
});
