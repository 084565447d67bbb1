import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const ask = {
  id: 'approval',
  type: 'input' as const,
  name: 'Approve the expense',
  inputs: {
    title: 'Ada asks for 42.50',
    submitters: 'members',
    fields: [
      { key: 'approved', label: 'Approved', type: 'boolean', required: true },
      { key: 'comment', label: 'Comment', type: 'text', required: false },
    ],
  },
};
const result = action('result', 'core.set', { values: { approved: '{{ steps.approval.output.approved }}' } });
const expense = {
  slug: 'expense',
  name: 'Expense',
  nodes: [ask, result],
  output: '{{ steps.result.output }}',
  edges: [{ id: 'e', source: 'approval', target: 'result' }],
};

inBrowser('a person logs in, sees what waits for them, answers it, and sees the end without a reload', async () => {
  const { home, owner } = await homeWithOwner();
  const executionId = await home.execute(await home.deploy(expense));
  await home.asked(executionId, 'approval');
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, { ...owner, password: 'not the password' });
  await page.getByText('Incorrect e-mail or password.').waitFor();
  await logInThere(page, owner);
  for (const name of ['Needs you', 'Failing', 'Running']) await page.getByRole('heading', { name }).waitFor();
  await page.getByRole('link', { name: 'Ada asks for 42.50' }).waitFor();
  await page.getByRole('link', { name: '#1' }).click();
  await page.getByRole('heading', { name: '#1 Expense' }).waitFor();
  await page.getByText('“Approve the expense” waits for a person’s answer.').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('This is needed.').waitFor();
  await page.getByRole('radio', { name: 'Yes' }).click();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('status').getByText('Completed').waitFor();
  expect((await home.ended(executionId)).output).toMatchObject({ approved: true });
  await page.getByRole('tab', { name: 'Steps' }).click();
  await page.getByRole('button', { name: /Approve the expense/ }).click();
  await page.getByRole('tab', { name: 'Output' }).click();
  const output = page.getByRole('tabpanel', { name: 'Output' });
  await output.getByText('JSON', { exact: true }).click();
  await output.getByText('"approved": true').waitFor();
  expect(complaints).toEqual([]);
});

async function keepView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Save these filters…' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Views: ${name}` }).waitFor();
}

const orderForm = manual({ key: 'order', label: 'Order', type: 'text', required: true });

inBrowser(
  'executions are found by state and label, by a view that is kept, and all that match are cancelled',
  async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({ ...expense, labels: { order: '{{ trigger.order }}' }, trigger: orderForm });
    for (const order of ['A-1', 'A-2', 'A-3']) await home.asked(await home.execute(workflowId, { order }), 'approval');
    const { page, complaints } = await openConsole(home.url, '/console/executions?status=NEEDS_INPUT');
    await logInThere(page, owner);
    const table = page.getByRole('table', { name: 'Executions' });
    await table.getByRole('link', { name: '#3' }).waitFor();
    await page.getByLabel('Find', { exact: true }).fill('order=A-2');
    await page.getByLabel('Find', { exact: true }).press('Enter');
    await table.getByRole('link', { name: '#3' }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: '#2' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('order=A-2');
    await table.getByText('“Ada asks for 42.50”').waitFor();
    await keepView(page, 'Order A-2');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('link', { name: '#1' }).waitFor();
    await page.reload();
    await table.getByRole('link', { name: '#1' }).waitFor();
    await page.keyboard.press('v');
    await page.getByRole('menuitem', { name: 'Order A-2' }).press('Enter');
    await table.getByRole('link', { name: '#3' }).waitFor({ state: 'detached' });
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ status: 'NEEDS_INPUT', q: 'order=A-2' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Views: Order A-2' }).click();
    await page.getByRole('menuitem', { name: 'Rename or delete…' }).click();
    await dialog.getByLabel('Name of Order A-2').fill('Ada');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Views: Ada' }).click();
    await page.getByRole('menuitem', { name: 'Rename or delete…' }).click();
    await dialog.getByRole('button', { name: 'Delete Ada' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('link', { name: '#1' }).waitFor();
    // A selected execution is terminated after typing the count, an open one after typing its number.
    await table.getByLabel('Select execution 3').check();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByText('Terminate 1 execution?').waitFor();
    // The dialog counts first, so its field appears later.
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('button', { name: 'Terminate' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Type 1 to confirm').fill('1');
    await dialog.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByText('Done: 1 execution.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await table.getByText('Cancelled').waitFor();
    await table.getByRole('link', { name: '#2' }).click();
    await page.getByRole('heading', { name: /^#2 / }).waitFor();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByLabel('Type 2 to confirm').fill('3');
    expect(await dialog.getByRole('button', { name: 'Terminate' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type 2 to confirm').fill('#2');
    await dialog.getByRole('button', { name: 'Terminate' }).click();
    await page.getByRole('status').getByText('Cancelled').waitFor();
    await home.execute(workflowId, { order: 'A-4' });
    await home.asked(await home.execute(workflowId, { order: 'A-5' }), 'approval');
    await page.goto(new URL('/console/executions?since=24h', home.url).href);
    await table.getByRole('link', { name: '#5' }).waitFor();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByText('Terminate 3 executions?').waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('Cancel 3 executions?').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('Done: 3 executions.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await table.getByText('Cancelled').nth(4).waitFor();
    for (const order of ['A-6', 'A-7']) await home.asked(await home.execute(workflowId, { order }), 'approval');
    await page.reload();
    await table.getByRole('link', { name: '#7' }).waitFor();
    await page.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await dialog.getByRole('button', { name: 'Terminate' }).click();
    await dialog.getByText('Done: 2 executions.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await table.getByText('Cancelled').nth(6).waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('Find filters while typing; bulk actions need a filter or a selection', async () => {
  const { home, owner } = await homeWithOwner();
  const shop = 'https://127.0.0.1:1/orders';
  const call = action(
    'call',
    'testing.fail',
    { message: `${shop} did not answer in time`, retryable: false },
    {
      name: 'Ask the shop for the order',
    },
  );
  const failing = await home.deploy({ slug: 'sync', name: 'Sync orders', nodes: [call], edges: chain('call') });
  const other = await home.deploy({
    slug: 'report',
    name: 'Report',
    nodes: [action('set', 'core.set', { values: {} })],
  });
  for (const id of [failing, other]) await home.ended(await home.execute(id));
  const { page, complaints } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  const rows = page.getByRole('table', { name: 'Executions' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  const retry = page.getByRole('button', { name: 'Retry', exact: true });
  expect(await retry.count()).toBe(0);
  await page.keyboard.press('r');
  expect(await page.getByRole('dialog').count()).toBe(0);
  const find = page.getByRole('textbox', { name: 'Find' });
  const lengthBefore = await page.evaluate('history.length');
  await find.focus();
  for (const key of 'Report') await page.keyboard.press(key, { delay: 60 });
  await page.waitForURL(/q=Report$/);
  await rows.nth(1).waitFor({ state: 'detached' });
  await rows.first().getByText('#2').waitFor();
  await retry.waitFor();
  await find.press('ControlOrMeta+a');
  await page.keyboard.type('#1');
  await page.waitForURL(/q=%231$/);
  await rows.first().getByText('#1').waitFor();
  expect(await find.inputValue()).toBe('#1');
  await find.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.waitForURL(/executions$/);
  await rows.nth(1).waitFor();
  expect(await page.evaluate('history.length')).toBe(lengthBefore);
  expect(await retry.count()).toBe(0);
  await rows.first().getByRole('checkbox').check();
  await retry.waitFor();
  // Without labels, the error has two lines in their column.
  expect(await page.getByRole('columnheader', { name: 'Labels' }).count()).toBe(0);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const text of ['Ask the shop for the order', `${shop} did not answer in time`]) {
      const line = page.getByText(text, { exact: false }).last();
      const { clientWidth, scrollWidth } = await line.evaluate(
        (element: { clientWidth: number; scrollWidth: number }) => ({
          clientWidth: element.clientWidth,
          scrollWidth: element.scrollWidth,
        }),
      );
      expect([width, text, scrollWidth <= clientWidth]).toEqual([width, text, true]);
    }
  }
  expect(complaints).toEqual([]);
});

inBrowser('on a narrow screen executions are cards that nobody scrolls sideways, worked by the same keys', async () => {
  const { home, owner } = await homeWithOwner();
  const broken = action('broken', 'testing.fail', { message: 'None is left. '.repeat(9), retryable: false });
  const failing = await home.deploy({
    ...{ slug: 'pay', name: 'Pay the invoices of the month that has ended', trigger: orderForm, nodes: [broken] },
    labels: { order: '{{ trigger.order }}' },
  });
  const first = await home.execute(failing, { order: 'A-1' });
  for (const id of [first, await home.execute(failing, { order: 'A-2' })]) await home.ended(id);
  const { page, complaints } = await openConsole(home.url, '/console/executions', { width: 390 });
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Executions' });
  const card = table.getByRole('row').filter({ has: page.getByRole('link', { name: '#1' }) });
  for (const text of ['Failed', 'Pay the invoices of the month that has ended', 'order=A-1']) {
    await card.getByRole('cell').getByText(text, { exact: true }).waitFor();
  }
  await card.getByText(/None is left/).waitFor();
  const isWithin =
    "[document.documentElement, document.querySelector('table.rows')].every((each) => each.scrollWidth <= innerWidth)";
  expect(await page.evaluate(isWithin)).toBe(true);
  const focused = page.locator(':focus');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await table.getByRole('link', { name: '#1' }).and(focused).waitFor();
  await page.keyboard.press('x');
  expect(await table.getByLabel('Select execution 1').isChecked()).toBe(true);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy ids' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(first);
  await table.getByRole('link', { name: '#1' }).focus();
  await page.keyboard.press('k');
  await table.getByRole('link', { name: '#2' }).and(focused).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^#2 / }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('finds failures of a long loop among all steps, not only the loaded ones', async () => {
  const { home, owner } = await homeWithOwner();
  const items = Array.from({ length: 400 }, (_, index) => index);
  const each = control('each', 'forEach', { items, concurrency: 20, onItemError: 'continue' });
  const divide = action('divide', 'core.transform', { value: '{{ 10 / loop.item }}' }, { parentId: 'each' });
  const { id } = await home.run({ nodes: [each, { ...divide, name: 'Divide' }] });
  const { page, complaints } = await openConsole(home.url, `/console/executions/${id}?tab=steps`);
  await logInThere(page, owner);
  const list = page.getByRole('region', { name: 'Steps' });
  await list
    .getByRole('button', { name: /Divide/ })
    .first()
    .waitFor();
  await page.getByLabel('Failed only').check();
  await list.getByRole('button', { name: /item 1 of 400/ }).click();
  await list.getByRole('button').nth(1).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Error' }).click();
  await page.getByRole('tabpanel').getByText(/zero/i).waitFor();
  // The graph shows the selected item, its enclosing loops, and its neighbours.
  await page
    .getByText(/· item 1 of 400$/)
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.getByText('“each” as in item 1 of 400').waitFor();
  const inside = page.locator('.react-flow__node', { hasText: 'Divide' });
  await inside.getByText('Failed').waitFor();
  expect(await page.getByRole('button', { name: 'Previous item' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Next item' }).click();
  await page.getByText('“each” as in item 2 of 400').waitFor();
  await inside.getByText('Completed').waitFor();
  await page.getByRole('button', { name: 'Latest item' }).click();
  await page.getByText('“each” as in').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser(
  'pages are accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const failing = { nodes: [action('broken', 'testing.fail', { message: 'None is left', retryable: false })] };
    const failed = await home.run({ ...failing, name: 'Pay' });
    const waiting = await home.execute(await home.deploy(expense));
    await home.asked(waiting, 'approval');
    const { page, complaints } = await openConsole(home.url, '/console/');
    await page.getByLabel('E-mail').waitFor();
    await expectAccessibleInAll(page);
    await logInThere(page, owner);
    await page.getByRole('link', { name: 'Ada asks for 42.50' }).waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL('/console/executions', home.url).href);
    await page.getByRole('table', { name: 'Executions' }).waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: /^Failed/ }).click();
    await keepView(page, 'Those that failed');
    await page.getByRole('button', { name: 'Views: Those that failed' }).click();
    await page.getByRole('menuitem', { name: 'Those that failed' }).waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('menuitem', { name: 'Rename or delete…' }).click();
    await page.getByLabel('Name of Those that failed').waitFor();
    await expectAccessibleInAll(page);
    for (const tab of ['graph', 'timeline', 'steps']) {
      await page.goto(new URL(`/console/executions/${failed.id}?tab=${tab}`, home.url).href);
      await page.getByText('None is left').first().waitFor();
      await expectAccessibleInAll(page);
    }
    await page.goto(new URL(`/console/executions/${waiting}`, home.url).href);
    await page.getByRole('button', { name: 'Submit' }).waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser(
  'an execution says how long it waits; from a step that failed one click leads to its form with its values',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'later', managedByCode: false, name: 'Later' },
      trigger: manual({ key: 'order', label: 'Order', type: 'text', required: true }),
      nodes: [
        action(
          'read',
          'core.set',
          { values: { a: '{{ 1 / int(trigger.order) }}' } },
          { name: 'Read it', onError: 'continue' },
        ),
        control('pause', 'delay', { forMs: 600_000 }, { name: 'Pause' }),
      ],
      edges: [{ id: 'e', source: 'read', target: 'pause' }],
    });
    const executionId = await home.execute(id, { order: '0' });
    const { page, complaints } = await openConsole(home.url, `/console/executions/${executionId}`);
    await logInThere(page, owner);
    await page.getByText(/“Pause” waits and continues in \d+ (sec|min)\.$/).waitFor();
    await page.getByRole('tab', { name: 'Error', selected: true }).waitFor();
    await page.getByRole('link', { name: 'Open in the editor' }).click();
    await page.getByRole('heading', { name: 'Edit Later' }).waitFor();
    const opened = Object.fromEntries(new URL(page.url()).searchParams);
    expect(opened).toEqual({ node: 'read', sample: executionId });
    const form = page.getByRole('region', { name: 'Form', exact: true });
    await form.getByRole('heading', { name: 'Read it' }).waitFor();
    await form.locator('output[data-tone="bad"]').waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('the graph of an execution that failed at its end shows all of its nodes at first', async () => {
  const { home, owner } = await homeWithOwner();
  const ids = ['one', 'two', 'three', 'four', 'five'];
  const { id } = await home.run({
    nodes: [
      ...ids.map((each) => action(each, 'core.set', { values: { a: 1 } }, { name: each })),
      action('last', 'testing.fail', { retryable: false }, { name: 'last' }),
    ],
    edges: chain(...ids, 'last'),
  });
  const { page, complaints } = await openConsole(home.url, `/console/executions/${id}`);
  await logInThere(page, owner);
  const graph = page.getByRole('region', { name: 'Graph of the execution' });
  const isInside = async (name: string) => {
    const [around, node] = await Promise.all([
      graph.boundingBox(),
      graph.locator('.react-flow__node', { hasText: name }).boundingBox(),
    ]);
    if (!around || !node) return false;
    const right = node.x + node.width <= around.x + around.width;
    return right && node.x >= around.x && node.y >= around.y && node.y + node.height <= around.y + around.height;
  };
  await graph.locator('.react-flow__node').nth(6).waitFor();
  await poll(() => Promise.all([...ids, 'last'].map(isInside))).toEqual(Array(6).fill(true));
  expect(complaints).toEqual([]);
});
