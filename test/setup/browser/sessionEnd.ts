import type { Page } from 'playwright-core';
import { api } from '../api/client.ts';
import type { Home } from '../workspace/home.ts';
import { logIn } from '../workspace/people.ts';
import type { Person } from './consolePage.ts';

export async function endSessions(home: Pick<Home, 'url'>, person: Person): Promise<void> {
  const call = api(home.url, (await logIn(home, person)).access_token);
  const { body: sessions } = await call('GET', '/api/users/me/sessions');
  for (const { id, isCurrent } of sessions) if (!isCurrent) await call('DELETE', `/api/users/me/sessions/${id}`);
}

export const again = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });
