import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/consolePage.ts';
import { type Home, homeWithOwner } from '../setup/home.ts';

withBrowser();

/** The page of a link that invites this person. */
async function invitation(home: Home, name = 'Ann'): Promise<string> {
  const body = { email: `${name.toLowerCase()}-${crypto.randomUUID()}@test.local`, name, role: 'operator' };
  const { token } = (await home.api('POST', '/api/workspace/users', { body })).body.invitation;
  return `/console/verify-token?token=${token}`;
}

const again = (page: Page) => page.getByRole('button', { name: 'Try again' });

inBrowser('a link that nobody answers stays on its page, and is used at the next try', async () => {
  const { home } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/login');
  for (const path of ['**/api/auth/login-with-token', '**/api/users/me']) await page.route(path, (it) => it.abort());
  await page.goto(new URL(await invitation(home), home.url).href);
  await page.getByText('The API does not answer. Your link is kept on this page').waitFor();
  await page.unroute('**/api/auth/login-with-token');
  const used = page.waitForResponse('**/api/auth/login-with-token');
  await again(page).click();
  expect((await used).status()).toBe(200);
  // The link is used up; of whom it has logged in nothing is known yet.
  await again(page).waitFor();
  await expectAccessible(page);
  await page.unroute('**/api/users/me');
  await again(page).click();
  await page.getByRole('heading', { name: 'Set your password' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a link that is opened beside the session of another person asks before it ends that', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const link = new URL(await invitation(home), home.url).href;
  await page.goto(link);
  await page.getByText(`You are logged in as ${owner.email}.`).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Stay as I am' }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.goto(link);
  await page.getByRole('button', { name: 'Use the link' }).click();
  await page.getByRole('heading', { name: 'Set your password' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('an invitation of somebody who is logged in already leads to where they accept it', async () => {
  const [{ home, owner }, { home: other }] = [await homeWithOwner(), await homeWithOwner()];
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const body = { email: owner.email, role: 'operator' };
  const { token } = (await other.api('POST', '/api/workspace/users', { body })).body.invitation;
  await page.goto(new URL(`/console/verify-token?token=${token}`, home.url).href);
  await page.getByRole('button', { name: 'Use the link' }).click();
  await page.getByText('You have an account already.').waitFor();
  await page.getByRole('link', { name: 'To the invitation' }).click();
  await page.getByRole('button', { name: /^Accept the invitation to/ }).waitFor();
  expect(complaints).toEqual([]);
});
