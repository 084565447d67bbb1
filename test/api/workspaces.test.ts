import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { joinAs, logIn } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

async function commuter() {
  const [home, work] = [await makeWorkspace(), await makeWorkspace()];
  const { id, tokens, call } = await joinAs(work, home, 'consumer');
  return { home, work, id, tokens, call };
}

test('a person goes to another workspace with the role that they have there, and is in both', async () => {
  const { home, work, tokens, call } = await commuter();
  const switched = await call('POST', '/api/auth/switch-workspace', { body: { workspaceId: work.workspaceId } });
  expect(switched).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } });
  const there = api(work.url, switched.body.access_token);
  const workspaces = [
    { id: home.workspaceId, role: 'owner' },
    { id: work.workspaceId, role: 'consumer' },
  ];
  expect((await there('GET', '/api/users/me')).body).toMatchObject({
    workspace: { id: work.workspaceId },
    role: 'consumer',
    permissions: ['agents:use'],
    workspaces,
  });
  expect((await there('GET', '/api/projects')).status).toBe(403);
  expect((await call('GET', '/api/users/me')).body).toMatchObject({ workspace: { id: home.workspaceId }, workspaces });
  const refreshed = await there('POST', '/api/auth/refresh-token', {
    body: { refresh_token: switched.body.refresh_token },
  });
  expect((await api(work.url, refreshed.body.access_token)('GET', '/api/users/me')).body.role).toBe('consumer');

  // Switching back and forth does not extend a login.
  const { userId } = await stackDatabase().session.findFirstOrThrow({ where: { workspaceId: work.workspaceId } });
  const sessions = await stackDatabase().session.findMany({ where: { userId } });
  expect(new Set(sessions.map(({ expiresAt }) => expiresAt.getTime())).size).toBe(1);
  expect(tokens.refresh_token).not.toBe(switched.body.refresh_token);
});

test('a workspace without the caller looks absent; a key has one alone', async () => {
  const { home, call } = await commuter();
  const stranger = await makeWorkspace();
  const to = (workspaceId: string) => call('POST', '/api/auth/switch-workspace', { body: { workspaceId } });
  const [foreign, missing] = [await to(stranger.workspaceId), await to('01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f')];
  expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
  expect(foreign.body.detail).toBe(missing.body.detail);
  const body = { workspaceId: home.workspaceId };
  expect((await api(home.url, home.apiKey)('POST', '/api/auth/switch-workspace', { body })).status).toBe(403);
});

test('a logout ends that login in all workspaces, and no other login', async () => {
  const { home, work, tokens, call } = await commuter();
  const other = await logIn(home, home);
  const { body } = await call('POST', '/api/auth/switch-workspace', { body: { workspaceId: work.workspaceId } });
  const there = api(work.url, body.access_token);
  expect(await there('POST', '/api/auth/logout')).toMatchObject({ status: 200, body: { loggedOut: true } });
  for (const token of [tokens.access_token, body.access_token]) {
    expect((await api(home.url, token)('GET', '/api/users/me')).status).toBe(401);
  }
  const refresh = await api(home.url)('POST', '/api/auth/refresh-token', {
    body: { refresh_token: tokens.refresh_token },
  });
  expect(refresh.status).toBe(401);
  expect((await api(home.url, other.access_token)('GET', '/api/users/me')).status).toBe(200);
  expect((await there('POST', '/api/auth/logout')).status).toBe(401);
  expect((await api(home.url, home.apiKey)('POST', '/api/auth/logout')).status).toBe(403);
});

test('a person who is removed from one workspace stays in the other', async () => {
  const { work, id, call } = await commuter();
  const { body } = await call('POST', '/api/auth/switch-workspace', { body: { workspaceId: work.workspaceId } });
  await api(work.url, work.apiKey)('DELETE', `/api/workspace/users/${id}`);
  expect((await api(work.url, body.access_token)('GET', '/api/users/me')).status).toBe(401);
  expect((await call('GET', '/api/users/me')).body.workspaces).toHaveLength(1);
  expect((await call('POST', '/api/auth/switch-workspace', { body: { workspaceId: work.workspaceId } })).status).toBe(
    404,
  );
});
