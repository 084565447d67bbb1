import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/chromium.ts';
import { ALL_VIEWS_MS, expectAccessible, logInThere, openConsole, withBrowser } from '../setup/consolePage.ts';
import { stackWithProvider } from '../setup/providerStack.ts';

withBrowser();

inBrowser(
  'a login by a provider leads to the page that was asked for, also after one that was refused; no link is promised where no e-mail is sent',
  async () => {
    const admits = { domains: ['acme.example'], defaultRole: 'builder' };
    const { provider, stack, owner } = await stackWithProvider(admits);
    const { page, complaints } = await openConsole(stack.url, '/console/executions?status=FAILED');
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByText('Your provider has refused the login').waitFor();
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
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByText('No e-mail is sent here').waitFor();
    await expectAccessible(page);
    // By password, where the provider has refused.
    await page.goto(new URL('/console/queues', stack.url).href);
    provider.person = null;
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    // This page itself goes to the provider; the 404 says that no e-mail is sent.
    const own = complaints.filter((text) => !text.includes(provider.issuer) && !text.includes('404'));
    expect(own).toEqual([]);
  },
  ALL_VIEWS_MS,
);
