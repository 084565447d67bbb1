// test: long
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole } from '../setup/browser/consolePages.ts';
import { poll } from '../setup/jest/poll.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

interface OpenMenu {
  route: string;
  part?: string;
  more?: string;
  opener: (page: Page) => Locator;
  first?: string;
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).last();

/** Each kind of menu once; row menus in the last row. */
const MENUS: OpenMenu[] = [
  { route: '/executions', opener: button('Views') },
  { route: '/executions', opener: button(/account and appearance/) },
  { route: '/executions/$executionId', opener: button('More about this execution') },
  { route: '/workflows/$workflowId/edit', more: '?node=big', first: 'Edit here anyway', opener: button('Connect to…') },
  { route: '/objects/$typeSlug', opener: button('Export') },
  { route: '/objects/$typeSlug', part: 'board', opener: button(/^Move/) },
  { route: '/agents/$agentId/tasks/$taskId', opener: button('More about this task') },
  { route: '/settings/keys', opener: button(/^Actions/) },
];

const IN_MENU = "document.activeElement?.closest('[role=menu]') != null";

/** Whether the menu is fully visible: not cut off and not covered. */
const IS_WHOLE = `[...document.querySelectorAll('[class*="-dropdown"]:is([role=menu], :has([role=listbox]))')].every((each) => {
  if (each.getClientRects().length === 0) return true;
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return [top + 6, bottom - 6].every((y) => each.contains(document.elementFromPoint((left + right) / 2, y)));
})`;

/** Returns problems of the open menu that axe does not find. The menu has the focus. */
async function wrongWith(page: Page): Promise<string[]> {
  const wrong = [];
  if (!(await page.evaluate(IS_WHOLE))) wrong.push('a part is cut off');
  await page.keyboard.press('ArrowDown');
  const items = page.getByRole('menu').locator('[role^=menuitem]:focus');
  if ((await items.count()) !== 1) wrong.push('an arrow leads to no entry');
  return wrong;
}

inBrowser('a menu takes the focus, is whole and accessible, and gives the focus back on Escape', async () => {
  const { home, owner } = await homeWithOwner();
  const { page: pageOf } = await fillConsole(home, stackDatabase());
  const { page, complaints } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 500 });
  const wrong: string[] = [];
  for (const [at, { route, part, more = '', first, opener }] of MENUS.entries()) {
    const address = new URL(`/console${pageOf(route, part).path}${more}`, home.url).href;
    if (page.url() !== address) await page.goto(address);
    if (first !== undefined) await page.getByRole('button', { name: first }).click();
    const button = opener(page);
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await poll(() => page.evaluate(IN_MENU)).toBe(true);
    const name = await button.textContent();
    wrong.push(...(await wrongWith(page)).map((each) => `${route} ${name}: ${each}`));
    await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  }
  expect(wrong).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser(
  'choices of a field stand beside it, also in a dialog, whole and accessible, and Escape closes them alone',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page: pageOf } = await fillConsole(home, stackDatabase());
    const { page, complaints } = await openConsole(home.url, `/console${pageOf('/settings/connections').path}`);
    await logInThere(page, owner);
    await page
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Assign…' }).click();
    const dialog = page.getByRole('dialog');
    for (const name of ['Roles', 'API keys']) {
      const field = dialog.getByRole('combobox', { name });
      await field.focus();
      await page.keyboard.press('ArrowDown');
      const choices = dialog.getByRole('listbox');
      await choices.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('ArrowDown');
      expect([name, await page.evaluate(IS_WHOLE)]).toEqual([name, true]);
      await page.keyboard.press('Escape');
      await choices.waitFor({ state: 'detached' });
      await field.and(page.locator(':focus')).waitFor();
    }
    expect(complaints).toEqual([]);
  },
);
