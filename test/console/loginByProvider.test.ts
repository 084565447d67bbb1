// test: long
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { stackWithProvider } from '../setup/stack/providerStack.ts';

withBrowser();

inBrowser(
  'a login by a provider leads to the page that was asked for, also after one that was refused; no link is offered where no e-mail is sent',
  async () => {
    const admits = { domains: ['acme.example'], defaultRole: 'builder' };
    const { provider, stack, owner } = await stackWithProvider(admits);
    const { page, complaints } = await openConsole(stack.url, '/console/executions?status=FAILED');
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByText('Your provider refused the login').waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    provider.person = { sub: randomUUID(), email: 'ann@acme.example', email_verified: true, name: 'Ann' };
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByRole('heading', { name: 'Executions', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=FAILED');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.getByRole('button', { name: 'Ann: account and appearance' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('E-mail').fill(owner.email);
    expect(await page.getByRole('button', { name: 'Send me a link instead' }).count()).toBe(0);
    await expectAccessible(page);
    // Logs in by password after the provider has refused.
    await page.goto(new URL('/console/queues', stack.url).href);
    provider.person = null;
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    // This page itself contacts the provider.
    expect(complaints.filter((text) => !text.includes(provider.issuer))).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('where passwords are switched off the login offers the provider alone', async () => {
  const { provider, stack } = await stackWithProvider({
    domains: ['acme.example'],
    defaultRole: 'builder',
    passwordAuthDisabled: true,
  });
  const { page, complaints } = await openConsole(stack.url, '/console/queues');
  await page.getByText('Password login is disabled.').waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  await expectAccessible(page);
  provider.person = { sub: randomUUID(), email: 'ann@acme.example', email_verified: true, name: 'Ann' };
  await page.getByRole('link', { name: 'Log in with Acme' }).click();
  await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
  expect(complaints.filter((text) => !text.includes(provider.issuer))).toEqual([]);
});
