// test: long
import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { logIn } from '../setup/workspace/people.ts';

withBrowser();

async function ownAccount() {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/settings/account');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  return { home, owner, page, complaints, dialog: page.getByRole('dialog') };
}

const untilFocused = (page: Page, there: Locator) => there.and(page.locator(':focus')).waitFor();

/** Holds write requests to these addresses until `letGo` is called; `sent` lists their methods. */
async function held(page: Page, part: string) {
  let letGo: () => void = () => undefined;
  const goes = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sent: string[] = [];
  await page.route(
    ({ pathname }) => pathname.includes(part),
    async (route) => {
      const method = route.request().method();
      if (method === 'GET') return route.continue();
      sent.push(method);
      await goes;
      await route.continue();
    },
  );
  return { sent, letGo };
}

inBrowser('sets up and removes a second factor by keyboard; each dialog focuses its first field', async () => {
  const { home, owner, page, complaints, dialog } = await ownAccount();
  await page.getByRole('button', { name: 'Set up an app' }).press('Enter');
  await untilFocused(page, dialog.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(owner.password);
  await page.keyboard.press('Enter');
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await untilFocused(page, dialog.getByLabel('Code'));
  const secret = Secret.fromBase32((await dialog.locator('code').textContent()) ?? '');
  await page.keyboard.type(new TOTP({ secret }).generate());
  await page.keyboard.press('Enter');
  await untilFocused(page, dialog.getByRole('button', { name: 'I have stored it' }));
  const [code = ''] = await dialog.getByRole('listitem').allTextContents();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Switch off' }).press('Enter');
  await dialog.waitFor();
  await untilFocused(page, dialog.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(owner.password);
  await dialog.getByLabel('Code').focus();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.getByText('The second factor is off.').waitFor();
  expect(await logIn(home, owner)).toMatchObject({ access_token: expect.any(String) });
  expect(complaints).toEqual([]);
});

inBrowser('ending a session twice quickly ends it once, and the focus stays with the remaining ones', async () => {
  const { home, owner, page, complaints } = await ownAccount();
  for (let count = 0; count < 2; count += 1) await logIn(home, owner);
  await page.reload();
  const ends = page.getByRole('button', { name: /^End the session that began/ });
  await ends.nth(1).waitFor();
  const { sent, letGo } = await held(page, '/sessions/');
  await ends.first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  letGo();
  await page.getByText('1 session has ended.').waitFor();
  await untilFocused(page, page.getByRole('heading', { name: 'Sessions' }));
  await page.keyboard.press('Tab');
  await untilFocused(page, ends.first());
  expect(sent).toEqual(['DELETE']);
  expect(await page.getByText('That did not work').count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('accepting an invitation twice quickly accepts it once; a withdrawn one disappears', async () => {
  const { owner, page, complaints } = await ownAccount();
  const { home: there } = await homeWithOwner();
  const invite = async () => {
    const body = { email: owner.email, role: 'viewer' };
    const { status, body: invited } = await there.api('POST', '/api/workspace/users', {
      body,
      headers: fromElsewhere(),
    });
    expect(status).toBe(201);
    await page.reload();
    return invited.id as string;
  };
  const withdrawn = await invite();
  const accept = page.getByRole('button', { name: /^Accept the invitation to/ });
  await accept.waitFor();
  await there.api('DELETE', `/api/workspace/users/${withdrawn}`);
  await accept.click();
  await page.getByText('The invitation does not exist').waitFor();
  await accept.waitFor({ state: 'detached' });

  await invite();
  await accept.waitFor();
  const { sent, letGo } = await held(page, '/accept');
  await accept.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  letGo();
  await page.getByText(/^You are a member of/).waitFor();
  await untilFocused(page, page.getByRole('heading', { name: 'Workspaces' }));
  expect(sent).toEqual(['POST']);
  expect(await page.getByText('That did not work').count()).toBe(0);
  expect(complaints).toEqual([]);
});
