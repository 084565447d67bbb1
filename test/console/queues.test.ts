import { expect } from '@jest/globals';
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
import { question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

async function queueOf(home: Home, items: object[], settings: object = {}) {
  const made = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'Refunds', maxRetries: 0, ...settings },
  });
  const path = `/api/queues/${made.body.id}`;
  if (items.length > 0) await home.api('POST', `${path}/items/bulk`, { body: { items } });
  return { path, id: made.body.id as string };
}

const order = (number: number, more: object = {}) => ({
  externalId: `order-${number}`,
  data: { amount: number, customer: number % 2 === 0 ? 'Ada' : 'Bob' },
  ...more,
});

async function fail(home: Home, path: string, count: number): Promise<void> {
  const claimed = await home.api('POST', `${path}/items/claim`, { body: { limit: count, worker: 'desk-3' } });
  for (const { id } of claimed.body) {
    await home.api('POST', `${path}/items/${id}/error`, { body: { error: { message: 'No account', code: 'NONE' } } });
  }
}

inBrowser(
  'a queue is found with its counts; its items are found by filters, and all that match are requeued',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { path } = await queueOf(
      home,
      [1, 2, 3, 4, 5].map((number) => order(number)),
    );
    await fail(home, path, 3);
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByText('2 pending, 3 failed').waitFor();
    await page.getByRole('link', { name: 'Refunds' }).click();
    const table = page.getByRole('table', { name: 'Items' });
    await table.getByRole('link', { name: 'order-5' }).waitFor();
    await page.getByRole('button', { name: /^Failed/ }).click();
    await table.getByRole('link', { name: 'order-5' }).waitFor({ state: 'detached' });
    await page.getByLabel('Find', { exact: true }).fill('Bob');
    await page.getByLabel('Find', { exact: true }).press('Enter');
    await table.getByRole('link', { name: 'order-2' }).waitFor({ state: 'detached' });
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ status: 'FAILED', q: 'Bob' });
    await page.getByText('2 items', { exact: true }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('createdAfter%3A'));
    await page.getByLabel('Created', { exact: true }).selectOption('24h');
    await asked;
    expect(new URL(page.url()).searchParams.get('since')).toBe('24h');
    await page.getByText('2 items', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Requeue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Requeue 2 items?').waitFor();
    await dialog.getByRole('button', { name: 'Requeue' }).click();
    await dialog.getByText('Done: 2 items.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('No item matches these filters.').waitFor();
    expect((await home.api('GET', `${path}/stats`)).body.counts).toMatchObject({ PENDING: 4, FAILED: 1 });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('link', { name: 'order-5' }).waitFor();
    await home.api('POST', `${path}/items`, { body: order(6) });
    await table.getByRole('link', { name: 'order-6' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('the way back from a list whose item was closed leads to what was before it', async () => {
  const { home, owner } = await homeWithOwner();
  await queueOf(home, [order(1)]);
  const { page } = await openConsole(home.url, '/console/queues');
  await logInThere(page, owner);
  await page.getByRole('link', { name: 'Refunds' }).click();
  const item = page.getByRole('table', { name: 'Items' }).getByRole('link', { name: 'order-1' });
  await item.click();
  await page.getByRole('dialog').getByText('Item order-1').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await item.waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Queues', level: 1 }).waitFor();
  await page.goForward();
  await item.click();
  await page.getByRole('dialog').getByText('Item order-1').waitFor();
  await page.reload();
  await page.getByRole('dialog').getByText('Item order-1').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await item.waitFor();
});

inBrowser(
  'an item is claimed, completed and failed on the page of its queue; only moves that are allowed are offered',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { path, id } = await queueOf(home, [order(1), order(2), order(3)]);
    const { page, complaints } = await openConsole(home.url, `/console/queues/${id}`);
    await logInThere(page, owner);
    const drawer = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Claim next' }).click();
    await drawer.getByText('Item order-1').waitFor();
    await drawer.getByLabel('Note or reason').fill('paid by hand');
    await drawer.getByRole('button', { name: 'Complete' }).click();
    await drawer.waitFor({ state: 'detached' });
    const table = page.getByRole('table', { name: 'Items' });
    await table.getByText('Completed').waitFor();
    await page.getByText('2 items wait: about 2 d at the pace of the last 24 hours').waitFor();
    await page.getByRole('button', { name: 'Claim next' }).click();
    await drawer.getByText('Item order-2').waitFor();
    await drawer.getByLabel('Note or reason').fill('No such account');
    await drawer.getByRole('button', { name: 'Fail' }).click();
    await drawer.waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'order-1' }).click();
    await drawer.getByText('This item is final. It cannot be moved.').waitFor();
    await drawer.getByRole('tab', { name: 'History' }).click();
    await drawer.getByText('“paid by hand”').waitFor();
    await page.keyboard.press('Escape');
    await table.getByRole('link', { name: 'order-2' }).click();
    await drawer.getByRole('button', { name: 'Requeue' }).waitFor();
    expect(await drawer.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Requeue' }).click();
    await drawer.getByRole('button', { name: 'Start' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Select item order-2').check();
    await page.getByLabel('Select item order-3').check();
    await page.getByRole('button', { name: 'Fail', exact: true }).click();
    await drawer.getByLabel('Reason').fill('The shop is closed');
    await drawer.getByRole('button', { name: 'Fail' }).click();
    await drawer.getByText('Done: 2 items.').waitFor();
    const { body } = await home.api('GET', `${path}/items`);
    expect(body.items.map(({ status, lastError }: Record<string, unknown>) => [status, lastError])).toEqual([
      ['COMPLETED', null],
      ['FAILED', 'The shop is closed'],
      ['FAILED', 'The shop is closed'],
    ]);
    expect(complaints).toEqual([]);
  },
);

inBrowser('an item taken from a running execution warns that the execution continues', async () => {
  const { home, owner } = await homeWithOwner();
  const { path, id } = await queueOf(home, [order(1)], { maxRetries: 3 });
  await home.deploy({ trigger: { id: 'trigger', type: 'queue', config: { queueId: id } }, nodes: [question('ask')] });
  const held = async () => (await home.api('GET', `${path}/items`)).body.items[0].status;
  await poll(held).toBe('PROCESSING');
  const { page, complaints } = await openConsole(home.url, `/console/queues/${id}`);
  await logInThere(page, owner);
  await page.getByRole('table', { name: 'Items' }).getByRole('link', { name: 'order-1' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Note or reason').fill('by hand');
  await drawer.getByRole('button', { name: 'Fail' }).click();
  await drawer.getByText(/An execution still works on this item/).waitFor();
  await expectAccessible(page);
  await drawer.getByRole('link', { name: 'Open the execution' }).click();
  await page.waitForURL(/\/executions\//);
  expect(complaints).toEqual([]);
});

inBrowser(
  'items are added by form and from pasted CSV; a queue is made, changed, paused, deleted and restored',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByText('No queues yet.').waitFor();
    await page.getByRole('button', { name: 'New queue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Invoices');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Invoices' }).waitFor();
    await page.getByRole('button', { name: 'Add items' }).click();
    await dialog.getByLabel('External ID').fill('A-1');
    // A click outside must not close a dialog with input.
    await page.mouse.click(4, 4);
    expect(await dialog.getByLabel('External ID').inputValue()).toBe('A-1');
    // Rows of names and values are converted to JSON and back.
    const addRow = async (name: string, value: string) => {
      await dialog.getByRole('button', { name: 'Add a value' }).click();
      const focused = dialog.getByRole('textbox', { name: /^Name \d/ }).last();
      await focused.and(page.locator(':focus')).waitFor();
      await page.keyboard.insertText(name);
      await dialog.getByRole('textbox', { name: `Value of ${name}` }).fill(value);
    };
    await addRow('amount', '4.5');
    await addRow('person', 'Ada');
    await addRow('lines', '[1, ');
    await dialog.getByText('This is not JSON.').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Value of lines' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.insertText('2]');
    await dialog.getByText('This is not JSON.').waitFor({ state: 'detached' });
    await expectAccessibleInAll(page);
    await dialog.getByRole('button', { name: 'Edit as JSON: Data' }).click();
    await dialog.getByRole('textbox', { name: 'Data (JSON)' }).getByText('"person"').waitFor();
    await dialog.getByRole('button', { name: 'Edit as rows: Data' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Value of person' }).inputValue()).toBe('Ada');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const table = page.getByRole('table', { name: 'Items' });
    await table.getByRole('link', { name: 'A-1' }).waitFor();
    const { body: queues } = await home.api('GET', '/api/queues');
    const { body: added } = await home.api('GET', `/api/queues/${queues[0].id}/items?expansion=data`);
    expect(added.items[0].data).toEqual({ amount: 4.5, person: 'Ada', lines: [1, 2] });
    await page.getByRole('button', { name: 'Add items' }).click();
    await dialog.getByRole('tab', { name: 'Paste many' }).click();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    const buffer = Buffer.from('externalId;priority;amount;zip\nA-1;;9;01234\nA-2;10;7.5;2\nA-2;3;8;3\n');
    await (await chooser).setFiles({ name: 'items.csv', mimeType: 'text/csv', buffer });
    await dialog.getByText('2 items to add.').waitFor();
    await dialog.getByText('its item is skipped').waitFor();
    await dialog.getByText('1 row is left out because an earlier row has the same external ID: row 3 (A-2)').waitFor();
    expect(await dialog.getByRole('checkbox', { name: 'zip' }).count()).toBe(0);
    await dialog.getByText('"amount":7.5', { exact: false }).waitFor();
    await dialog.getByRole('checkbox', { name: 'amount' }).uncheck();
    await dialog.getByText('"amount":"7.5"', { exact: false }).waitFor();
    await dialog.getByRole('checkbox', { name: 'amount' }).check();
    await dialog.getByText('"amount":7.5', { exact: false }).waitFor();
    await expectAccessibleInAll(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 item added, 1 already in the queue, 1 repeated row left out').waitFor();
    await table.getByRole('link').first().getByText('A-2').waitFor();
    await table.getByText('amount: 7.5').waitFor();
    await page.getByRole('button', { name: 'Claim next' }).click();
    await dialog.getByText('Item A-2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Held by').fill('me');
    await page.getByLabel('Held by').press('Enter');
    await table.getByRole('link', { name: 'A-1' }).waitFor({ state: 'detached' });
    await table.getByText('You hold it.').waitFor();
    expect(new URL(page.url()).searchParams.get('worker')).toBe('me');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('link', { name: 'A-1' }).waitFor();
    const path = `/api/queues/${new URL(page.url()).pathname.split('/').at(-1)}`;
    await page.getByRole('button', { name: 'Settings', exact: true }).last().click();
    await dialog.getByLabel('Name').fill('Invoices to pay');
    await dialog.getByLabel('Retries per item').fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Invoices to pay' }).waitFor();
    await page.getByText('7 retries, 5 min apart').waitFor();
    expect((await home.api('GET', path)).body).toMatchObject({ name: 'Invoices to pay', maxRetries: 7, batchSize: 10 });
    await page.getByRole('button', { name: 'Settings', exact: true }).last().click();
    await dialog.getByLabel('Items per execution').fill('20');
    await home.api('PATCH', path, { body: { batchSize: 30 } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else has changed this').waitFor();
    expect((await home.api('GET', path)).body.batchSize).toBe(30);
    await dialog.getByRole('button', { name: 'Load the latest version' }).click();
    await dialog.locator('input[value="30"]').waitFor();
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('This queue is paused. It accepts new items, but none can be claimed.').waitFor();
    await page.getByRole('button', { name: 'Claim next' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete the queue' }).click();
    await dialog.getByRole('button', { name: 'Delete the queue' }).click();
    await page.getByText(/^This queue was deleted/).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('button', { name: 'Claim next' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('a queue is made, paused, deleted and restored by keyboard, and the focus is never lost', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/queues');
  await logInThere(page, owner);
  const focused = page.locator(':focus');
  const press = async (name: string, within: Pick<typeof page, 'getByRole'> = page) => {
    await within.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  await press('New queue');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').and(focused).waitFor();
  await page.keyboard.insertText('Invoices');
  // Enter submits once the project is known.
  await dialog.getByRole('button', { name: 'Create', disabled: false }).waitFor();
  // A cleared number is not zero.
  await dialog.getByLabel('Retries per item').fill('');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Retries per item').and(focused).waitFor();
  await page.keyboard.insertText('2');
  await page.keyboard.press('Enter');
  await page.getByText('2 retries, 5 min apart').waitFor();
  expect((await home.api('GET', '/api/queues')).body).toHaveLength(1);
  await press('Pause');
  await page.getByRole('button', { name: 'Activate' }).and(focused).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause' }).and(focused).waitFor();
  await press('Delete the queue');
  await dialog.getByRole('button', { name: 'Leave as it is' }).and(focused).waitFor();
  await press('Delete the queue', dialog);
  const heading = page.getByRole('heading', { name: 'Invoices' });
  await page.getByText(/^This queue was deleted/).waitFor();
  await heading.and(focused).waitFor();
  await press('Restore');
  await page.getByRole('button', { name: 'Activate' }).waitFor();
  await heading.and(focused).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'queues are accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { path, id } = await queueOf(home, [order(1), order(2), order(3)]);
    await fail(home, path, 1);
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByText('2 pending, 1 failed').waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL(`/console/queues/${id}`, home.url).href);
    await page.getByRole('link', { name: 'order-1' }).waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('link', { name: 'order-1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Requeue' }).waitFor();
    await expectAccessibleInAll(page);
    await dialog.getByRole('tab', { name: 'Errors' }).click();
    await dialog.getByText('NONE').waitFor();
    await dialog.getByRole('tab', { name: 'JSON' }).click();
    await dialog.getByRole('button', { name: 'Save data' }).waitFor();
    await dialog.getByLabel('JSON', { exact: true }).last().waitFor();
    await expectAccessibleInAll(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Settings', exact: true }).last().click();
    await dialog.getByLabel('Concurrent executions').waitFor();
    await expectAccessibleInAll(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add items' }).click();
    await dialog.getByRole('tab', { name: 'Paste many' }).click();
    await dialog.getByLabel('JSON or CSV').fill('[{"amount": 1}]');
    await dialog.getByText('1 item to add.').waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
