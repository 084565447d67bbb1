import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { logIn } from '../setup/workspace/people.ts';

withBrowser();

/** A code is valid for this time. */
const CODE_MS = 30_000;

inBrowser('a link logs in once: its token leaves the address before it is used, and a second use says so', async () => {
  const { home } = await homeWithOwner();
  const body = { email: `operator-${crypto.randomUUID()}@test.local`, name: 'Olga', role: 'operator' };
  const added = await home.api('POST', '/api/workspace/users', { body });
  const { token } = added.body.invitation;
  const { page, complaints } = await openConsole(home.url, `/console/verify-token?token=${token}`);
  await page.getByLabel('Password', { exact: true }).fill('turnip lantern gallop 42');
  expect(page.url()).not.toContain(token);
  await page.getByRole('button', { name: `Log in as ${body.email}` }).click();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.getByRole('button', { name: 'Olga: account and appearance' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('E-mail').waitFor();
  expect(await page.evaluate('localStorage.getItem("accessToken")')).toBeNull();
  await page.goto(new URL(`/console/verify-token?token=${token}`, home.url).href);
  await page.getByText('This link was already used, or has expired.').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.getByRole('main').getByText('Perdure', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('a second factor is asked for, and a wrong code says so', async () => {
  const { home, owner } = await homeWithOwner();
  const { access_token } = await logIn(home, owner);
  const call = api(home.url, access_token);
  const { body: enrolment } = await call('POST', '/api/users/me/2fa/enroll', { body: { password: owner.password } });
  const totp = new TOTP({ secret: Secret.fromBase32(enrolment.secret) });
  const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * CODE_MS });
  await call('POST', '/api/users/me/2fa/confirm', { body: { token: codeAt(0) } });
  const { page, complaints } = await openConsole(home.url, '/console/executions?status=FAILED');
  await logInThere(page, owner);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Incorrect code, or already used.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Code').fill(codeAt(1));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=FAILED');
  expect(complaints).toEqual([]);
});

inBrowser('a login leads only to pages of the console', async () => {
  const { home, owner } = await homeWithOwner();
  for (const next of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example']) {
    const { page, complaints } = await openConsole(home.url, `/console/login?next=${encodeURIComponent(next)}`);
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    expect(new URL(page.url()).host).toBe(new URL(home.url).host);
    expect(complaints).toEqual([]);
  }
});

inBrowser('by keyboard alone: log in, reach an execution, and come back', async () => {
  const { home, owner } = await homeWithOwner();
  await home.run({ nodes: [], name: 'Nothing' });
  const { page, complaints } = await openConsole(home.url, '/console/login');
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(owner.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(owner.password);
  expect(await page.evaluate('document.activeElement?.type')).toBe('password');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const reach = async (name: string) => {
    const isThere = `document.activeElement?.textContent?.trim() === ${JSON.stringify(name)}`;
    for (let pressed = 0; pressed < 60; pressed += 1) {
      if (await page.evaluate(isThere)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} is not reached by the Tab key`);
  };
  await page.evaluate('document.activeElement?.blur()');
  await reach('Skip to the page');
  await reach('Executions');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Executions' }).getByText('#1', { exact: true }).waitFor();
  await reach('#1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '#1 Nothing' }).waitFor();
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('H1');
  await page.goBack();
  await page.getByRole('table', { name: 'Executions' }).waitFor();
  expect(complaints).toEqual([]);
});
