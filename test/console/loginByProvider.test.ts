import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/chromium.ts';
import { ALL_VIEWS_MS, expectAccessible, logInThere, openConsole, withBrowser } from '../setup/consolePage.ts';
import { CLIENT, startIdentityProvider } from '../setup/identityProvider.ts';
import { onTestFinished } from '../setup/onTestFinished.ts';
import { startStack } from '../setup/ownStack.ts';

withBrowser();

inBrowser(
  'a login by a provider leads to the page that was asked for, also after one that was refused; no link is promised where no e-mail is sent',
  async () => {
    const provider = await startIdentityProvider();
    onTestFinished(() => provider.close());
    const environment: Record<string, string> = {};
    const stack = await startStack({ environment });
    onTestFinished(() => stack.dispose());
    await provider.serve(`${stack.url}/api/auth/sso/acme/callback`);
    const { workspaceId, email } = stack.credentials;
    const password = stack.credentials.password ?? '';
    const admits = { domains: ['acme.example'], defaultRole: 'builder' };
    const acme = { id: 'acme', name: 'Acme', issuer: provider.issuer, ...CLIENT, workspaceId, ...admits };
    environment.SSO_PROVIDERS = JSON.stringify([acme]);
    await stack.stop();
    await stack.startAgain();
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
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByText('No e-mail is sent here').waitFor();
    await expectAccessible(page);
    // By password, where the provider has refused.
    await page.goto(new URL('/console/queues', stack.url).href);
    provider.person = null;
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Log in with Acme' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await logInThere(page, { email, password });
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    // This page itself goes to the provider; the 404 says that no e-mail is sent.
    const own = complaints.filter((text) => !text.includes(provider.issuer) && !text.includes('404'));
    expect(own).toEqual([]);
  },
  ALL_VIEWS_MS,
);
