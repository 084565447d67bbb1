// test: long
import { describe, expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page, Request } from 'playwright-core';
import { api } from '../setup/api/client.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  type Person,
  watched,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { again, endSessions } from '../setup/browser/sessionEnd.ts';
import { action, manual, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { confirmed, logIn, newMember } from '../setup/workspace/people.ts';

withBrowser();

describe('the session ends', () => {
  async function logInAgain(page: Page, { password }: Pick<Person, 'password'>): Promise<void> {
    await again(page).getByLabel('Password').fill(password);
    await again(page).getByRole('button', { name: 'Log in' }).click();
  }

  /** Collects the idempotency key of each POST to this path. */
  function keysOf(page: Page, path: string): (string | undefined)[] {
    const keys: (string | undefined)[] = [];
    page.on('request', (request: Request) => {
      const isIt = request.method() === 'POST' && new URL(request.url()).pathname === path;
      if (isIt) keys.push(request.headers()['idempotency-key']);
    });
    return keys;
  }

  inBrowser(
    'after a session ends under a dialog, a login over it keeps the input and sends it under the same key',
    async () => {
      const { home, owner } = await homeWithOwner();
      const { page, complaints } = await openConsole(home.url, '/console/queues');
      await logInThere(page, owner);
      await page.getByRole('button', { name: 'New queue' }).click();
      const dialog = page.getByRole('dialog', { name: 'New queue' });
      await dialog.getByLabel('Name').fill('Invoices');
      await page.evaluate('window.sameDocument = true');
      const keys = keysOf(page, '/api/queues');
      // The session ends while the first request is in flight. Later requests are not sent.
      await page.route(
        ({ pathname }) => pathname === '/api/queues',
        async (route) => {
          if (route.request().method() === 'POST' && keys.length === 1) await endSessions(home, owner);
          await route.continue();
        },
      );
      await dialog.getByRole('button', { name: 'Create' }).click();
      await again(page).getByText('Your input stays on this page').waitFor();
      expect(await again(page).getByLabel('E-mail').inputValue()).toBe(owner.email);
      await again(page).getByLabel('Password').and(page.locator(':focus')).waitFor();
      await expectAccessibleInAll(page);
      expect(await page.getByText('The API does not answer').count()).toBe(0);
      // Neither Escape nor shortcuts close the dialog or reach the page below.
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+k');
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate("document.activeElement.closest('[role=dialog]').textContent")).toContain('ended');
      }
      await logInAgain(page, { password: 'not this one' });
      await again(page).getByText('Incorrect e-mail or password.').waitFor();
      await logInAgain(page, owner);
      await page.getByRole('heading', { name: 'Invoices' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.evaluate('window.sameDocument')).toBe(true);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      expect((await home.api('GET', '/api/queues')).body).toHaveLength(1);
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );

  inBrowser('a decision on a phone survives the end of the session, and its stream continues', async () => {
    const { home, owner } = await homeWithOwner();
    const fields = [{ key: 'comment', label: 'Comment', type: 'text', required: false }];
    const workflowId = await home.deploy({ nodes: [question('ask', { fields, submitters: 'members' })] });
    const executionId = await home.execute(workflowId);
    const { pendingInput } = await home.asked(executionId, 'ask');
    const path = `/console/inbox?question=${executionId}/${pendingInput[0].stepId}`;
    const { page, complaints } = await openConsole(home.url, path, { width: 390 });
    await logInThere(page, owner);
    await page.getByLabel('Comment').fill('Signed by hand');
    await endSessions(home, owner);
    // The stream may open the dialog first, which covers the button.
    await page.getByRole('button', { name: 'Submit' }).dispatchEvent('click');
    await again(page).waitFor();
    await expectAccessible(page);
    const { width } = (await again(page).boundingBox()) ?? { width: 0 };
    expect(width).toBeLessThanOrEqual(390);
    await logInAgain(page, owner);
    await again(page).waitFor({ state: 'detached' });
    const { executionPath } = await home.ended(executionId);
    expect(executionPath[0].output).toMatchObject({ comment: 'Signed by hand' });
    // The event stream uses the new session.
    const next = await home.execute(workflowId);
    await home.asked(next, 'ask');
    await page.goto(new URL('/console/inbox', home.url).href);
    await page.getByRole('list', { name: 'Questions' }).getByRole('listitem').waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('the editor keeps what is not saved, and saves it after the login with a second factor', async () => {
    const { home, owner } = await homeWithOwner();
    const call = api(home.url, (await logIn(home, owner)).access_token);
    const { body: enrolment } = await call('POST', '/api/users/me/2fa/enroll', { body: { password: owner.password } });
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
    await logInThere(page, owner);
    const form = page.getByRole('region', { name: 'Form', exact: true });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Half done');
    await page.getByRole('region', { name: 'Flow' }).getByRole('button', { name: 'Wait', exact: true }).click();
    const totp = new TOTP({ secret: Secret.fromBase32(enrolment.secret) });
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await call('POST', '/api/users/me/2fa/confirm', { body: { token: codeAt(0) } });
    const { body: sessions } = await call('GET', '/api/users/me/sessions');
    for (const { id, isCurrent } of sessions) if (!isCurrent) await call('DELETE', `/api/users/me/sessions/${id}`);
    await logInAgain(page, owner);
    await again(page).getByLabel('Code').and(page.locator(':focus')).waitFor();
    await again(page).getByLabel('Code').fill('000000');
    await again(page).getByRole('button', { name: 'Confirm' }).click();
    await again(page).getByText('Incorrect code, or already used.').waitFor();
    await again(page).getByLabel('Code').fill(codeAt(1));
    await again(page).getByRole('button', { name: 'Confirm' }).click();
    await again(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 1.').waitFor();
    const { body: workflows } = await home.api('GET', '/api/workflows');
    expect(workflows).toMatchObject([{ name: 'Half done' }]);
    expect(complaints).toEqual([]);
  });

  inBrowser('a login in one tab ends the dialog in the other; a log-out leads both to the login', async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'New queue' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Invoices');
    const other = await page.context().newPage();
    const complaintsThere = watched(other, home.url);
    await other.goto(new URL('/console/executions', home.url).href);
    await other.getByRole('heading', { name: 'Executions' }).waitFor();
    await endSessions(home, owner);
    await other.getByRole('link', { name: 'Workflows' }).dispatchEvent('click');
    await again(other).waitFor();
    await again(page).waitFor();
    await logInAgain(other, owner);
    await again(other).waitFor({ state: 'detached' });
    await again(page).waitFor({ state: 'detached' });
    await other.getByRole('heading', { name: 'Workflows' }).waitFor();
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Invoices');
    await other.getByRole('button', { name: /account and appearance/ }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    for (const tab of [other, page]) {
      await tab.getByLabel('E-mail').waitFor();
      expect(await tab.getByRole('dialog').count()).toBe(0);
      expect(await tab.locator('body').textContent()).not.toContain(owner.email);
    }
    expect([...complaints, ...complaintsThere]).toEqual([]);
  });

  inBrowser('somebody else who logs in there gets their own first page, and nothing of the person before', async () => {
    const { home, owner } = await homeWithOwner();
    const { home: elsewhere, owner: stranger } = await homeWithOwner();
    await home.deploy({
      nodes: [action('a', 'core.set', { values: { a: 1 } })],
      trigger: manual(),
      name: 'Of the first',
    });
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
    await logInThere(page, owner);
    const name = page
      .getByRole('region', { name: 'Form', exact: true })
      .getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('A secret plan');
    const other = await page.context().newPage();
    await other.goto(new URL('/console/workflows', home.url).href);
    await other.getByText('Of the first').waitFor();
    await endSessions(home, owner);
    await other.getByRole('link', { name: 'Queues' }).click();
    await again(page).getByLabel('E-mail').fill(stranger.email);
    await logInAgain(page, stranger);
    for (const tab of [page, other]) {
      await tab.getByRole('heading', { name: 'Needs you' }).waitFor();
      expect(new URL(tab.url()).pathname).toBe('/console/');
      const text = await tab.locator('body').textContent();
      for (const former of ['A secret plan', 'Of the first', owner.email]) expect(text).not.toContain(former);
    }
    // A tab that followed another one shows a notice.
    await other.getByText(/^This tab switched to/).waitFor();
    expect(await page.getByText(/^This tab switched to/).count()).toBe(0);
    expect(elsewhere.workspaceId).not.toBe(home.workspaceId);
    expect(complaints).toEqual([]);
  });

  inBrowser('a removed member is informed and redirected to the login', async () => {
    const { home } = await homeWithOwner();
    const { password, email, id } = await confirmed(await newMember(home, 'operator'));
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, { email, password });
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    const removed = await home.api('DELETE', `/api/workspace/users/${id}`);
    expect(removed.status).toBeLessThan(300);
    // The closed event stream triggers this.
    await logInAgain(page, { password });
    await again(page).getByText('You are no longer a member of this workspace').waitFor();
    await expectAccessible(page);
    await again(page).getByRole('button', { name: 'Switch account' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await logInThere(page, { email, password });
    await page.getByText('You are not a member of any workspace').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the session is revoked in another browser', () => {
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
});
