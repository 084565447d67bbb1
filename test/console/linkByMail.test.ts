// test: long
import { expect } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { startSmtpServer, tokenIn } from '../setup/providers/smtpServer.ts';
import { startStack } from '../setup/stack/ownStack.ts';

withBrowser();

inBrowser(
  'after too many tries the login counts down; a mailed link leads to the requested page, an invitation to a first password',
  async () => {
    const smtp = await startSmtpServer();
    onTestFinished(() => smtp.dispose());
    const environment: Record<string, string> = { LOGIN_FAILURES_MAX: '1' };
    const stack = await startStack({ environment });
    onTestFinished(() => stack.dispose());
    Object.assign(environment, { SMTP_URL: smtp.url, CLIENT_URL: `${stack.url}/console` });
    await stack.stop();
    await stack.startAgain();
    const { email } = stack.credentials;
    const { page, complaints } = await openConsole(stack.url, '/console/executions?status=FAILED');
    await page.clock.install();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('not the right one');
    const logIn = page.getByRole('button', { name: 'Log in', exact: true });
    await logIn.click();
    await page.getByText('Incorrect e-mail or password.').waitFor();
    await logIn.click();
    await page.getByText('Too many attempts.').waitFor();
    const left = page.getByRole('timer');
    await left.filter({ hasText: 'Try again in 15 minutes.' }).waitFor();
    await page.clock.fastForward('14:30');
    await left.filter({ hasText: /Try again in \d+ seconds\./ }).waitFor();
    await page.clock.fastForward('00:30');
    await page.getByText('You can try again now.').waitFor();
    await page.getByRole('button', { name: 'Send me a link instead' }).click();
    await page.getByText('a login link is on its way').waitFor();
    await expectAccessible(page);
    await poll(() => smtp.received.length).toBe(1);
    const [mail] = smtp.received;
    if (mail === undefined) throw new Error('no mail came');
    const tab = await page.context().newPage();
    await tab.goto(new URL(`/console/verify-token?token=${tokenIn(mail)}`, stack.url).href);
    await tab.getByRole('button', { name: `Log in as ${email}` }).click();
    await tab.getByRole('heading', { name: 'Executions', exact: true }).waitFor();
    expect(new URL(tab.url()).search).toBe('?status=FAILED');

    const body = { email: `ann-${crypto.randomUUID()}@test.local`, name: 'Ann', role: 'viewer' };
    const invited = await api(stack.url, stack.credentials.apiKey)('POST', '/api/workspace/users', { body });
    expect(invited.body.invitation.sentTo).toBe(body.email);
    await poll(() => smtp.received.length).toBe(2);
    const [, invitation] = smtp.received;
    if (invitation === undefined) throw new Error('no invitation came');
    const anns = await openConsole(stack.url, `/console/verify-token?token=${tokenIn(invitation)}`);
    await anns.page.getByRole('button', { name: `Log in as ${body.email}` }).click();
    await anns.page.getByRole('heading', { name: 'Set your password' }).waitFor();
    await expectAccessible(anns.page);
    expect(anns.complaints).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
