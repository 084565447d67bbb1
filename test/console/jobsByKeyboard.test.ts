// test: long
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole } from '../setup/browser/consolePages.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

/** So many presses of Tab lead from one place of a page to another. */
const FAR = 80;

/** Tab, until it has the focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  await goal.first().waitFor();
  for (let at = 0; at < FAR; at += 1) {
    await page.keyboard.press('Tab');
    if ((await goal.first().and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error(`${FAR} times Tab do not lead to ${goal}`);
}

inBrowser(
  'what each page is there for is done by keyboard alone: run, retry, pause, move, search, invite, make a key',
  async () => {
    const { home, owner } = await homeWithOwner();
    const filled = await fillConsole(home, stackDatabase());
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const go = (path: string) => page.goto(new URL(`/console${path}`, home.url).href);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    const keys = page.keyboard;

    await go(filled.page('/workflows/$workflowId').path);
    await tabTo(page, button('Run'));
    await keys.press('Enter');
    await dialog.getByLabel('Order').waitFor();
    await tabTo(page, dialog.getByLabel('Order'));
    await keys.type('A-1060');
    await tabTo(page, dialog.getByLabel('Amount'));
    await keys.type('7');
    await tabTo(page, dialog.getByRole('button', { name: 'Run', exact: true }));
    await keys.press('Enter');
    await page.waitForURL('**/executions/*');
    await page.getByText('Completed').first().waitFor();

    await tabTo(page, button('Retry'));
    await keys.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Retry', exact: true }));
    const before = page.url();
    await keys.press('Enter');
    await page.waitForURL((url) => url.href !== before);

    await tabTo(page, page.getByRole('link', { name: 'Refund an order', exact: true }));
    await keys.press('Enter');
    await tabTo(page, button('Pause'));
    await keys.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Pause', exact: true }));
    await keys.press('Enter');
    await button('Resume').waitFor();

    await go(filled.page('/objects/$typeSlug', 'board').path);
    await tabTo(page, button('Move Order A-1042 to…'));
    await keys.press('Enter');
    await page.getByRole('menuitem', { name: 'Approve' }).waitFor();
    while ((await page.getByRole('menuitem', { name: 'Approve' }).and(page.locator(':focus')).count()) === 0) {
      await keys.press('ArrowDown');
    }
    await keys.press('Enter');
    await page.getByRole('list', { name: 'Approved' }).getByText('Order A-1042').waitFor();

    await go(filled.page('/knowledge/$knowledgeId').path);
    await tabTo(page, page.getByRole('tab', { selected: true }));
    await keys.press('ArrowRight');
    await tabTo(page, page.getByLabel('Question'));
    await keys.type('Where do cars stand?');
    await keys.press('Enter');
    await page.getByText('Cars of visitors stand behind the house.').first().waitFor();

    await go('/settings/people');
    await tabTo(page, button('Invite a person'));
    await keys.press('Enter');
    await dialog.getByLabel('E-mail').and(page.locator(':focus')).waitFor();
    await keys.type('alan@shop.example');
    await keys.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'I have stored it' }));
    await keys.press('Enter');
    await page.getByText('alan@shop.example').first().waitFor();

    await go('/settings/keys');
    await tabTo(page, button('Create a key'));
    await keys.press('Enter');
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await keys.type('Desk');
    await tabTo(page, dialog.getByRole('checkbox', { name: 'executions:read' }));
    await keys.press('Space');
    await keys.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'I have stored it' }));
    await keys.press('Enter');
    await page.getByRole('table').getByText('Desk').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
