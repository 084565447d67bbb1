// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser('a key that another admin revokes leaves the page that nobody touches', async () => {
  const { home, owner } = await homeWithOwner();
  const made = await home.api('POST', '/api/api-keys', { body: { name: 'Shop', permissions: ['executions:run'] } });
  expect(made.status).toBe(201);
  const { page, complaints } = await openConsole(home.url, '/console/login');
  await page.clock.install();
  await page.goto(new URL('/console/settings/keys', home.url).href);
  await logInThere(page, owner);
  const row = page.getByRole('table', { name: 'API keys' }).getByText('Shop');
  await row.waitFor();
  expect((await home.api('DELETE', `/api/api-keys/${made.body.id}`)).status).toBe(200);
  expect(await row.count()).toBe(1);
  await page.clock.fastForward('01:01');
  await row.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
