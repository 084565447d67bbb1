// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole } from '../setup/browser/consolePages.ts';
import { poll } from '../setup/jest/poll.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const DIALOGS: [route: string, button: string][] = [
  ['/queues', 'New queue'],
  ['/queues/$queueId', 'Add items'],
  ['/queues/$queueId', 'Settings'],
  ['/queues/$queueId', 'Delete the queue'],
  ['/workflows/$workflowId', 'Run'],
  ['/workflows/$workflowId', 'Pause'],
  ['/executions/$executionId', 'Cancel'],
  ['/executions/$executionId', 'Terminate'],
  ['/objects', 'Add a type'],
  ['/objects/$typeSlug/$id', 'Edit'],
  ['/objects/$typeSlug/$id', 'Cancel the order'],
  ['/agents', 'New agent'],
  ['/knowledge', 'New knowledge base'],
  ['/settings/connections', 'Connect an app'],
  ['/settings/variables', 'Add a variable'],
  ['/settings/people', 'Invite a person'],
  ['/settings/keys', 'Create a key'],
];

const IN_DIALOG = "document.activeElement?.closest('[role=dialog]') != null";

inBrowser(
  'a dialog takes the focus, keeps it, and gives it back to what opened it when Escape closes it',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page: pageOf } = await fillConsole(home, stackDatabase());
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const wrong: string[] = [];
    let last = '';
    for (const [route, name] of DIALOGS) {
      const { path } = pageOf(route);
      if (path !== last) await page.goto(new URL(`/console${path}`, home.url).href);
      last = path;
      const opener = page.getByRole('main').getByRole('button', { name, exact: true }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await poll(() => page.evaluate(IN_DIALOG)).toBe(true);
      for (let at = 0; at < 30; at += 1) {
        await page.keyboard.press(at < 25 ? 'Tab' : 'Shift+Tab');
        if (!(await page.evaluate(IN_DIALOG))) wrong.push(`${path} ${name}: Tab leaves the dialog`);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const focused = await page.evaluate<string>('document.activeElement?.textContent');
      if (focused !== (await opener.textContent())) wrong.push(`${path} ${name}: the focus does not come back`);
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('the skip link comes first, and leads into the page', async () => {
  const { home, owner } = await homeWithOwner();
  const { page } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Skip to the page' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate("document.activeElement?.closest('main') != null")).toBe(true);
});

inBrowser('a day of a filter is typed and cleared by keyboard', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/settings/audit');
  await logInThere(page, owner);
  const day = page.getByLabel('From', { exact: true });
  await day.focus();
  for (const key of '11282025') await page.keyboard.press(key);
  await page.waitForURL(/after=2025-11-28/);
  expect(await day.inputValue()).toBe('2025-11-28');
  await page.getByRole('table', { name: 'Audit log' }).waitFor();
  await page.keyboard.press('Backspace');
  // The button of the calendar stands within the field.
  for (let at = 0; at < 2; at += 1) await page.keyboard.press('Tab');
  await page.waitForURL(/audit$/);
  expect(complaints).toEqual([]);
});
