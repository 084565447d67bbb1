// test: long
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole, walked } from '../setup/browser/consolePages.ts';
import { wrongByTab } from '../setup/browser/tabWalk.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

describe('the console by keyboard', () => {
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
    // The calendar button is inside the field.
    for (let at = 0; at < 2; at += 1) await page.keyboard.press('Tab');
    await page.waitForURL(/audit$/);
    expect(complaints).toEqual([]);
  });
});

describe('jobs by keyboard', () => {
  /** Maximum number of Tab presses between two places of a page. */
  const FAR = 80;

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
});

describe('keys of an execution', () => {
  const divides = {
    ...{ slug: 'divide', name: 'Divide', trigger: manual({ key: 'by', label: 'By', type: 'number', required: true }) },
    nodes: [
      action('first', 'core.transform', { value: { by: '{{ trigger.by }}', same: true } }, { name: 'First' }),
      action('whole', 'core.transform', { value: '{{ 12 / int(trigger.by) }}' }, { name: 'Whole' }),
      action('last', 'core.transform', { value: 'done' }, { name: 'Last' }),
    ],
    edges: chain('first', 'whole', 'last'),
  };

  inBrowser('the page of an execution is worked by keys, which ? lists and switches off', async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy(divides);
    const parent = await home.run({ nodes: [control('call', 'runWorkflow', { workflowId, input: { by: 0 } })] });
    const id = await home.execute(workflowId, { by: 0 });
    await home.ended(id);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${id}`);
    await logInThere(page, owner);
    await page.getByText('Failed').first().waitFor();
    const keys = page.keyboard;
    const tab = (name: string) => page.getByRole('tab', { name, exact: true, selected: true });
    await tab('Error').waitFor();
    await keys.press('k');
    await page.getByText('First', { exact: true }).last().waitFor();
    await keys.press('i');
    await tab('Input').waitFor();
    await keys.press('n');
    await tab('Error').waitFor();
    await keys.press('3');
    await tab('Steps').waitFor();
    await keys.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keys' });
    await sheet.getByText('Next failed step').waitFor();
    await sheet.getByText('Go to Executions').waitFor();
    await expectAccessible(page);
    // In a dialog, letters are not shortcuts.
    await keys.press('r');
    await sheet.getByRole('switch', { name: 'Single letters are keys' }).click();
    await keys.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await keys.press('r');
    await keys.press('g');
    await keys.press('e');
    await page.getByRole('button', { name: /^Account|owner-/ }).click();
    await page.getByRole('menuitem', { name: 'Keys' }).click();
    await sheet.getByRole('switch', { name: 'Single letters are keys' }).click();
    await keys.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: /account and appearance/ })
      .and(page.locator(':focus'))
      .waitFor();
    // Single letters are turned off: neither the retry nor another page opened.
    expect(new URL(page.url()).pathname).toBe(`/console/executions/${id}`);
    await page.getByRole('heading', { level: 1 }).focus();
    await keys.press('r');
    await page.getByRole('dialog', { name: 'Retry this execution' }).waitFor();
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.press('g');
    await keys.press('w');
    await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor();
    await page.goto(new URL(`/console/executions/${parent.id}`, home.url).href);
    await page.getByText('Failed').first().waitFor();
    await keys.press('4');
    await tab('Child executions').waitFor();
    await page.getByRole('table', { name: 'Executions' }).getByRole('link').click();
    await page.getByRole('heading', { name: /^#\d+ Divide$/ }).waitFor();
    await page.getByRole('link', { name: 'Divide', exact: true }).click();
    await page.waitForURL(`**/workflows/${workflowId}`);
    expect(complaints).toEqual([]);
  });

  inBrowser(
    'rows of a list are chosen by keys, one, all, or up to this one; [ and ] lead through the list',
    async () => {
      const { home, owner } = await homeWithOwner();
      const workflowId = await home.deploy(divides);
      const ids: string[] = [];
      for (const by of [1, 2, 3]) {
        const id = await home.execute(workflowId, { by });
        await home.ended(id);
        ids.unshift(id);
      }
      const { page, complaints } = await openConsole(home.url, '/console/executions');
      await logInThere(page, owner);
      const rows = page.getByRole('table', { name: 'Executions' }).locator('tbody tr');
      await rows.nth(2).waitFor();
      const keys = page.keyboard;
      const chosen = (count: number) => rows.locator('input:checked').nth(count - 1);
      await keys.press('a');
      await chosen(3).waitFor();
      await keys.press('a');
      await chosen(1).waitFor({ state: 'detached' });
      for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await keys.press(key);
      await chosen(3).waitFor();
      await keys.press('Enter');
      const on = (id: string | undefined) => page.waitForURL((url) => url.pathname.endsWith(`/executions/${id}`));
      await on(ids[2]);
      await page.getByRole('tab', { name: 'Graph' }).waitFor();
      await keys.press('[');
      await on(ids[1]);
      await keys.press('[');
      await on(ids[0]);
      await keys.press(']');
      await on(ids[1]);
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('rows that were chosen are so in their own list alone, by whatever way one leaves it', async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy(divides);
    for (const by of [1, 0]) await home.ended(await home.execute(workflowId, { by }));
    const { page, complaints } = await openConsole(home.url, '/console/executions?status=FAILED');
    await logInThere(page, owner);
    const rows = page.getByRole('table', { name: 'Executions' }).locator('tbody tr');
    const says = page.getByRole('status').filter({ hasText: '1 execution selected' });
    const choose = async () => {
      await rows.nth(0).getByRole('checkbox').check();
      await says.waitFor();
    };
    await rows.nth(0).waitFor();
    await choose();
    await page.getByRole('link', { name: 'Executions', exact: true }).click();
    await rows.nth(1).waitFor();
    await says.waitFor({ state: 'detached' });
    await choose();
    await page.goBack();
    await rows.nth(1).waitFor({ state: 'detached' });
    await says.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('two executions stand beside each other with what differs: %s, %i wide', async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy(divides);
    const good = await home.execute(workflowId, { by: 3 });
    await home.ended(good);
    const bad = await home.execute(workflowId, { by: 0 });
    await home.ended(bad);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${bad}`, { scheme, width });
    await logInThere(page, owner);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: /^Compare #/ }).waitFor();
    const steps = page.getByRole('region', { name: 'Steps of both' });
    await steps.getByText('3 of 3 steps differ.').waitFor();
    const rows = steps.getByRole('listitem');
    await rows.filter({ hasText: 'Last' }).getByText('only in #1').waitFor();
    await rows.filter({ hasText: 'Whole' }).getByText('error').waitFor();
    const first = rows.filter({ hasText: 'First' });
    await first.getByRole('button').click();
    const row = first.getByRole('row', { name: /by/ }).last();
    await row.getByRole('cell', { name: '0', exact: true }).waitFor();
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    expect(await first.getByText('same').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Swap sides' }).click();
    await page.getByRole('heading', { name: 'Compare #1' }).waitFor();
    await rows.filter({ hasText: 'Last' }).getByText('only in #1').waitFor();
    expect(new URL(page.url()).searchParams.get('with')).toBe(bad);
    expect(complaints).toEqual([]);
  });
});

describe('pages by Tab', () => {
  inBrowser(
    'Tab goes round each page, in the order that is seen, to all that can be used, and shows where it is',
    async () => {
      const { home, owner } = await homeWithOwner();
      const { pages } = await fillConsole(home, stackDatabase());
      const { page, complaints } = await openConsole(home.url, '/console/');
      await logInThere(page, owner);
      await page.getByRole('heading', { name: 'Needs you' }).waitFor();
      const wrong: string[] = [];
      for (const { path, shown } of walked(pages)) {
        await page.goto(new URL(`/console${path}`, home.url).href);
        await page.getByRole('main').getByText(shown).first().waitFor();
        await page.locator('.mantine-Loader-root').first().waitFor({ state: 'detached' });
        wrong.push(...(await wrongByTab(page)).map((each) => `${path}: ${each}`));
      }
      expect(wrong).toEqual([]);
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );

  inBrowser('what the walk by Tab calls wrong is found: out of reach, out of order, unseen, and a trap', async () => {
    const { home, owner } = await homeWithOwner();
    const { page } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'New queue' }).first().waitFor();
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', '<form>'
    + '<button id=late>Later</button>'
    + '<button id=early>Early</button>'
    + '<button id=plain>Plain</button><button id=skipped>Skipped</button></form>')`);
    await page.evaluate(`{
    const style = new CSSStyleSheet();
    style.replaceSync('#late, #early { position: absolute; top: 300px } #early { top: 200px } #plain { outline: none !important }');
    document.adoptedStyleSheets = [style];
    document.querySelector('#skipped').addEventListener('focus', ({ target }) => target.blur());
  }`);
    const wrong = await wrongByTab(page);
    expect(wrong).toEqual(expect.arrayContaining(['out of order: button Early after button Later']));
    expect(wrong).toEqual(expect.arrayContaining(['no focus is seen: button Plain']));
    await page.evaluate(
      `document.querySelector('#plain').addEventListener('keydown', (event) => event.preventDefault())`,
    );
    expect(await wrongByTab(page)).toEqual(expect.arrayContaining(['Tab does not go round']));
  });
});
