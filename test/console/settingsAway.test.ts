// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

async function ownerAt(path: string, prepare: (home: Home) => Promise<unknown> = async () => undefined) {
  const { home, owner } = await homeWithOwner();
  await prepare(home);
  const { page, complaints } = await openConsole(home.url, `/console/settings/${path}`);
  await logInThere(page, owner);
  return { home, page, complaints, dialog: page.getByRole('dialog') };
}

async function menuOf(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

inBrowser('a key that ends, whose making nobody answered, is made once and shown', async () => {
  const { home, page, complaints, dialog } = await ownerAt('keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await dialog.getByLabel('Name').fill('Of the shop');
  await dialog.getByRole('button', { name: 'All that read' }).click();
  await dialog.getByLabel('Ends').selectOption('30');
  await page.route('**/api/api-keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('What you wrote is kept.').waitFor();
  await page.unroute('**/api/api-keys');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = await dialog.getByLabel('Key', { exact: true }).inputValue();
  const keys: { name: string; prefix: string }[] = (await home.api('GET', '/api/api-keys')).body;
  const made = keys.filter(({ name }) => name === 'Of the shop');
  expect(made).toHaveLength(1);
  expect(secret.startsWith(made[0]?.prefix ?? '-')).toBe(true);
  expect(complaints).toEqual([]);
});

inBrowser('a variable that is read slowly before it is changed has its dialog at once, which can be left', async () => {
  const { page, complaints, dialog } = await ownerAt('variables', (home) =>
    home.api('POST', '/api/variables', { body: { name: 'SHOP_URL', value: 'https://shop.example' } }),
  );
  const { after, goOn } = gate();
  await page.route('**/api/variables/*', async (route) => {
    await after;
    await route.continue();
  });
  await menuOf(page, 'SHOP_URL', 'Edit');
  await page.getByRole('dialog', { name: 'Change SHOP_URL' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await menuOf(page, 'SHOP_URL', 'Edit');
  await dialog.waitFor();
  goOn();
  await dialog.getByLabel('Value', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('SHOP_URL');
  expect(complaints).toEqual([]);
});

inBrowser('while an app looks at credentials the page says so, and a slip does not lose its answer', async () => {
  const { page, complaints, dialog } = await ownerAt('connections');
  let held = gate();
  const hold = async (route: { continue: () => Promise<void> }) => {
    await held.after;
    await route.continue();
  };
  await page.route('**/api/workflow-apps/http/connections/*/connect', hold);
  await page.route('**/api/connections/*/test', hold);
  await page.getByRole('button', { name: 'Connect an app' }).click();
  await dialog.getByLabel('App', { exact: true }).selectOption({ label: 'HTTP' });
  await dialog.getByRole('textbox', { name: 'API key' }).fill('key-of-the-shop');
  await dialog.getByLabel('Hosts').fill('https://not a host/');
  const sent = page.waitForRequest('**/connect');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await sent;
  await page.keyboard.press('Escape');
  held.goOn();
  await dialog.locator('.mantine-InputWrapper-error', { hasText: 'host' }).waitFor();
  await dialog.getByLabel('Hosts').fill('shop.example');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  held = gate();
  await menuOf(page, 'API key', 'Test');
  await page.getByText('API key is tested…').waitFor();
  held.goOn();
  await page.getByText('API key works.').waitFor();
  await page.getByText('API key is tested…').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser('to renew a client that acts for itself is to give it new credentials', async () => {
  const { page, complaints, dialog } = await ownerAt('connections', async (home) => {
    const { credentials } = await startOAuthProvider({
      redirectUri: new URL('/api/connections/oauth2/callback', home.url).href,
    });
    const { authorizationUrl: _, ...own } = credentials;
    const body = { name: 'Bank', credentials: { ...own, grant: 'clientCredentials' } };
    const made = await home.api('POST', '/api/workflow-apps/http/connections/oauth2/connect', { body });
    expect(made.body).toMatchObject({ status: 'connected' });
  });
  await menuOf(page, 'Bank', 'Renew');
  await page.getByText('This client acts for itself').waitFor();
  await dialog.getByRole('textbox', { name: 'Client secret' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a row that somebody else has deleted meanwhile leaves the list once an act on it says so', async () => {
  const { home, page, complaints, dialog } = await ownerAt('keys', (home) =>
    home.api('POST', '/api/api-keys', { body: { name: 'Of the shop', permissions: ['workflows:read'] } }),
  );
  await menuOf(page, 'Of the shop', 'Revoke');
  const keys: { id: string; name: string }[] = (await home.api('GET', '/api/api-keys')).body;
  await home.api('DELETE', `/api/api-keys/${keys.find(({ name }) => name === 'Of the shop')?.id}`);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText('does not exist').waitFor();
  await page.locator('tr', { hasText: 'Of the shop' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Leave as it is' }).click();
  expect(complaints).toEqual([]);
});

inBrowser('a change whose answer was lost is saved when it is sent again, and is nobody else’s', async () => {
  const { page, complaints, dialog } = await ownerAt('variables', (home) =>
    home.api('POST', '/api/variables', { body: { name: 'SHOP_URL', value: 'https://shop.example' } }),
  );
  await menuOf(page, 'SHOP_URL', 'Edit');
  await dialog.getByLabel('Value', { exact: true }).fill('https://new.example');
  await page.route('**/api/variables/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('What you wrote is kept.').waitFor();
  await page.unroute('**/api/variables/*');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /SHOP_URL.*new\.example/ }).waitFor();
  // The browser says it of the request that met its own change.
  expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([]);
});
