// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

async function invitation(home: Home, name = 'Ann'): Promise<string> {
  const body = { email: `${name.toLowerCase()}-${crypto.randomUUID()}@test.local`, name, role: 'operator' };
  const { token } = (await home.api('POST', '/api/workspace/users', { body })).body.invitation;
  return `/console/verify-token?token=${token}`;
}

const PASSWORD = 'turnip lantern gallop 42';

async function enterWith(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /^Log in as / }).click();
}

const again = (page: Page) => page.getByRole('button', { name: 'Try again' });

inBrowser('a link without an answer stays on its page and works at the next try', async () => {
  const { home } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/login');
  for (const path of ['**/api/auth/read-login-token', '**/api/users/me']) await page.route(path, (it) => it.abort());
  await page.goto(new URL(await invitation(home), home.url).href);
  await page.getByText('The API does not answer. Your link is kept on this page').waitFor();
  await page.unroute('**/api/auth/read-login-token');
  await again(page).click();
  const used = page.waitForResponse('**/api/auth/login-with-token');
  await enterWith(page, PASSWORD);
  expect((await used).status()).toBe(200);
  // The link is used up, but the user is not loaded yet.
  await again(page).waitFor();
  await expectAccessible(page);
  await page.unroute('**/api/users/me');
  await again(page).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('an invitation asks for a password, and says the same of an account and of none', async () => {
  const [{ home, owner }, { home: other }] = [await homeWithOwner(), await homeWithOwner()];
  const body = { email: owner.email, role: 'operator' };
  const { token } = (await other.api('POST', '/api/workspace/users', { body })).body.invitation;
  const textOf = async (link: string) => {
    const { page } = await openConsole(home.url, link);
    await page.getByRole('button', { name: /^Log in as / }).waitFor();
    await enterWith(page, 'Password123');
    await page.getByText('This password is not accepted.').waitFor();
    await expectAccessible(page);
    const email = await page.getByLabel('E-mail').inputValue();
    const text = await page.getByRole('main').textContent();
    return { page, text: text?.replaceAll(email, '') };
  };
  const known = await textOf(`/console/verify-token?token=${token}`);
  const unknown = await textOf(await invitation(other));
  expect(known.text).toBe(unknown.text);
  for (const [{ page }, password] of [[known, owner.password] as const, [unknown, PASSWORD] as const]) {
    await enterWith(page, password);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  }
});

inBrowser('an invitation that is used in another tab meanwhile says so, not that its password is wrong', async () => {
  const { home } = await homeWithOwner();
  const link = await invitation(home);
  const [{ page }, { page: other }] = [await openConsole(home.url, link), await openConsole(home.url, link)];
  await page.getByRole('button', { name: /^Log in as / }).waitFor();
  await enterWith(other, PASSWORD);
  await other.getByRole('heading', { name: 'Needs you' }).waitFor();
  await enterWith(page, PASSWORD);
  await page.getByText('This link was already used, or has expired.').waitFor();
});

inBrowser("a link opened during another person's session asks before ending it", async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const link = new URL(await invitation(home), home.url).href;
  await page.goto(link);
  await page.getByText(`You are logged in as ${owner.email}.`).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Stay logged in' }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goto(link);
  await enterWith(page, PASSWORD);
  await page.getByRole('button', { name: 'Ann: account and appearance' }).waitFor();
  expect(complaints).toEqual([]);
});
