import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildApp } from '../../api/app.ts';
import { api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';
import { logIn } from '../setup/workspace/people.ts';

const CREDENTIALS = { email: 'w@example.com', password: 'a long password' };

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi({ SESSION_IDLE_TIMEOUT: '30m' });
});
afterAll(() => own?.dispose());

const refresh = (refresh_token: string, url = own.url) =>
  api(url)('POST', '/api/auth/refresh-token', { body: { refresh_token } });
/** As if nothing had been asked for so many minutes. */
const away = (minutes: number) =>
  own.database.$executeRaw`UPDATE sessions SET refreshed_at = refreshed_at - ${minutes} * interval '1 minute'`;

test('a session that was in use within the time goes on, one that was not has ended', async () => {
  const { refresh_token } = await logIn(own, CREDENTIALS);
  // Each use begins the time again: together it is longer.
  for (const minutes of [29, 29, 29]) {
    await away(minutes);
    expect((await refresh(refresh_token)).status).toBe(200);
  }
  const { access_token } = (await refresh(refresh_token)).body;
  const listed = async () => (await api(own.url, access_token)('GET', '/api/users/me/sessions')).body.length;
  const before = await listed();
  await away(31);
  expect([before, await listed()]).toEqual([1, 0]);
  expect(await refresh(refresh_token)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  // It does not come back, and a new login does.
  expect((await refresh(refresh_token)).status).toBe(401);
  expect((await refresh((await logIn(own, CREDENTIALS)).refresh_token)).status).toBe(200);
});

test('without the setting a session lives as long as its refresh token', async () => {
  const { SESSION_IDLE_TIMEOUT: _, ...config } = own.services.config;
  const url = await own.serve(buildApp({ ...own.services, config: config as typeof own.services.config }));
  const { refresh_token } = await logIn({ url }, CREDENTIALS);
  await away(60 * 24 * 20);
  expect((await refresh(refresh_token, url)).status).toBe(200);
});
