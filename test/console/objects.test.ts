// test: long
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
import { addEntity, entitiesSeen, withTypes } from '../setup/browser/orderTypes.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser('creates a type from a template, and explains which entities a change would break', async () => {
  const { home, page, complaints, dialog } = await entitiesSeen('', async () => undefined);
  await page.getByText('No entity types yet.').waitFor();
  await page.getByRole('button', { name: 'Add a type' }).click();
  await dialog.getByLabel('Name').fill('Big order');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('heading', { name: 'Big order' }).waitFor();
  const id = await addEntity(home, 'Order 1', { total: 5 }, 'big-order');
  await page.getByText('JSON', { exact: true }).click();
  const states = page.getByRole('textbox', { name: 'States and moves' });
  await states.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{"initial": "new", "states": [{"id": "new"}]}');
  await page.getByRole('button', { name: 'What would break?' }).click();
  await page.getByText('These do not match, so nothing was changed:').waitFor();
  await page.getByRole('alert').getByText(/draft/).first().waitFor();
  await states.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{"initial": "draft", "states": [{"id": "draft"}, {"id": "done"}]}');
  await page.getByRole('button', { name: 'What would break?' }).click();
  await page.getByText('All entities match.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await home.api('GET', `/api/objects/${id}/state/transitions`)).body.transitions).toMatchObject([
    { to: 'done' },
  ]);
  await page.getByRole('button', { name: 'Delete the type' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Entities: 1 entity').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('edits attributes, states and moves in a form, without losing what only JSON shows', async () => {
  const { home, page, complaints } = await entitiesSeen('', async () => undefined);
  const money = { type: ['number', 'null'], multipleOf: 0.01 };
  const body = {
    ...{ slug: 'order', name: 'Order', managedByCode: false },
    attributeSchema: { type: 'object', properties: { total: money }, $defs: { own: { type: 'string' } } },
    stateSchema: { initial: 'new', states: [{ id: 'new', name: 'New', color: 'blue' }] },
  };
  expect((await home.api('POST', '/api/object-types/upsert', { body })).status).toBe(200);
  await page.goto(new URL('/console/objects/order?tab=settings', home.url).href);
  const row = (group: string, name: string) =>
    page.getByRole('group', { name: group, exact: true }).getByRole('region', { name, exact: true });
  const total = row('Attributes', 'total');
  expect(await total.getByLabel('Type').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Add an attribute' }).click();
  await page.keyboard.type('Due date');
  const due = row('Attributes', 'Due date');
  expect(await due.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('dueDate');
  await due.getByLabel('Type').selectOption({ label: 'Date' });
  await due.getByRole('checkbox', { name: 'Required' }).check();
  await page.getByRole('button', { name: 'Add an attribute' }).click();
  await page.keyboard.type('Way');
  await row('Attributes', 'Way').getByLabel('Type').selectOption({ label: 'One of several' });
  await row('Attributes', 'Way').getByRole('textbox', { name: 'Options' }).fill('truck\nship\n');
  await page.getByRole('button', { name: 'Add a state' }).click();
  await page.keyboard.type('Sent out');
  const sent = row('States', 'Sent out');
  expect(await sent.getByRole('textbox', { name: 'Id' }).inputValue()).toBe('sentOut');
  await sent.getByRole('checkbox', { name: 'Final' }).check();
  await page.getByRole('checkbox', { name: 'Allow only certain moves' }).check();
  const move = row('Moves', 'New to Sent out');
  await move.getByRole('checkbox', { name: 'Ask for a reason' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  const stored = await home.api('GET', '/api/object-types/slug/order?expansion=attributeSchema,stateSchema');
  expect(stored.body).toMatchObject({
    attributeSchema: {
      ...{ type: 'object', required: ['dueDate'], $defs: { own: { type: 'string' } } },
      properties: {
        total: money,
        dueDate: { type: 'string', format: 'date', title: 'Due date' },
        way: { type: 'string', enum: ['truck', 'ship'], title: 'Way' },
      },
    },
    stateSchema: {
      initial: 'new',
      states: [
        { id: 'new', name: 'New', color: 'blue' },
        { id: 'sentOut', name: 'Sent out', final: true },
      ],
      transitions: [{ from: 'new', to: 'sentOut', requiresReason: true }],
    },
  });
  expect(complaints).toEqual([]);
});

inBrowser(
  'a type with the name of another leaves that one as it is, and a name in Japanese asks for a slug',
  async () => {
    const { home, page, complaints, dialog } = await entitiesSeen('');
    const typeOf = async (slug: string) =>
      (await home.api('GET', `/api/object-types/slug/${slug}?expansion=name,attributeSchema,stateSchema,updatedAt`))
        .body;
    const before = await typeOf('order');
    await page.getByRole('button', { name: 'Add a type' }).click();
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    await dialog.getByLabel('Name').fill('Order!');
    await dialog.getByLabel('Template').selectOption({ label: 'Empty' });
    await add.click();
    await dialog.getByText('Another type has the slug order. Choose a different one.').waitFor();
    expect(await typeOf('order')).toEqual(before);
    await dialog.getByLabel('Name').fill('注文');
    expect(await add.isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Slug').getAttribute('required')).not.toBeNull();
    await dialog.getByLabel('Slug').fill('japanese orders');
    await dialog.getByText('Start with a letter or digit,').waitFor();
    await dialog.getByLabel('Slug').fill('');
    await dialog.getByLabel('Name').fill('Orders that came in by '.repeat(8));
    await add.click();
    await page.getByRole('heading', { name: 'Orders that came in by' }).waitFor();
    expect((await typeOf('orders-that-came-in-by-orders-that-came-in-by-orders-that-came')).name).toMatch(/^Orders/);
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'an entity is added by the form of its schema, moved with what the move needs, deleted and restored',
  async () => {
    const { home, page, complaints, dialog } = await entitiesSeen('/order', async (home) => {
      await withTypes(home);
      await addEntity(home, 'Acme', {}, 'customer');
    });
    await page.getByText('None yet.').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByLabel('Name').fill('Order 1042');
    await dialog.getByLabel('Kind').selectOption('shop');
    await dialog.getByRole('radio', { name: 'Acme' }).click();
    await dialog.getByLabel('Lines').fill('[{"sku": 1}]');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('Total').fill('-5');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog
      .getByText(/must be >= 0/)
      .first()
      .waitFor();
    await dialog.getByLabel('Total').fill('99.5');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const table = page.getByRole('table', { name: 'Order' });
    await table.getByText('99.5').waitFor();
    await table.getByText('Acme').waitFor();
    await table.getByRole('link', { name: 'Order 1042' }).click();
    await page.getByRole('heading', { name: 'Order 1042' }).waitFor();
    await page.getByRole('status').getByText('Draft').waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByText('This state requires:').waitFor();
    await dialog.getByLabel('Approved by').fill('Ada');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('status').getByText('Approved').waitFor();
    // The state may be visible before the dialog has its answer.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await dialog.getByLabel('Reason').fill('Ordered twice');
    await dialog.getByRole('button', { name: 'Cancel the order' }).click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Ordered twice').waitFor();
    expect(await history.getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Total').fill('100');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Attributes' }).getByText('100').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('None yet.').waitFor();
    await page.getByLabel('Deleted', { exact: true }).check();
    await page.getByRole('button', { name: 'Restore Order 1042' }).click();
    await page.getByText('Order 1042 is back.').waitFor();
    const { body } = await home.api('GET', '/api/objects?objectTypeSlug=order&expansion=attributes');
    expect(body.items).toMatchObject([
      { state: 'cancelled', attributes: { total: 100, kind: 'shop', approvedBy: 'Ada', lines: [{ sku: 1 }] } },
    ]);
    expect(complaints).toEqual([]);
  },
);

inBrowser('the table is narrowed by attributes in its address, and the board moves by menu and by drag', async () => {
  const { home, page, complaints, dialog } = await entitiesSeen('/order', async (home) => {
    await withTypes(home);
    await addEntity(home, 'One', { total: 1, kind: 'web' });
    await addEntity(home, 'Two', { total: 2, kind: 'shop', approvedBy: 'Ada' });
  });
  const table = page.getByRole('table', { name: 'Order' });
  await table.getByRole('link', { name: 'One' }).waitFor();
  await page.getByLabel('Attribute').selectOption('kind');
  await page.getByLabel('Is', { exact: true }).fill('shop');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await table.getByRole('link', { name: 'One' }).waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('attributes.kind')).toBe('shop');
  await page.getByRole('button', { name: 'Remove the filter Kind: shop' }).click();
  await table.getByRole('link', { name: 'One' }).waitFor();
  // Columns are chosen and ordered by keyboard; the address contains them.
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  await dialog.getByLabel('Kind', { exact: true }).press('Space');
  await dialog.getByLabel('Owner', { exact: true }).press('Space');
  const up = dialog.getByRole('button', { name: 'Move Total up' });
  await up.press('Enter');
  await dialog.getByText('Total is column 1 of').waitFor({ state: 'attached' });
  await dialog.locator('[aria-label="Move Total up"]:focus').waitFor();
  await dialog.getByRole('button', { name: 'Show these' }).press('Enter');
  await table.getByRole('columnheader', { name: 'Owner' }).waitFor();
  const heads = ['Name', 'Total', 'State', 'Approved by', 'Customer', 'Lines', 'Changed', 'Owner'];
  expect((await table.getByRole('columnheader').allTextContents()).toSorted()).toEqual(heads.toSorted());
  expect(await table.getByRole('columnheader').nth(1).textContent()).toBe('Total');
  expect(new URL(page.url()).searchParams.get('columns')).toMatch(/^attributes\.total,state,/);
  await page.getByLabel('Sort by').selectOption({ label: 'Total' });
  await table.getByRole('row').nth(1).getByText('One').waitFor();
  await page.getByRole('tab', { name: 'Board' }).click();
  const draft = page.getByRole('list', { name: 'Draft' });
  const approved = page.getByRole('list', { name: 'Approved' });
  await draft.getByRole('link', { name: 'One' }).waitFor();
  // The required attributes are set, so the card moves at once.
  await draft.getByRole('listitem').filter({ hasText: 'Two' }).dragTo(approved.locator('..'));
  await approved.getByRole('link', { name: 'Two' }).waitFor();
  await draft.getByRole('button', { name: 'Move One to…' }).click();
  await page.getByRole('menuitem', { name: 'Cancel the order' }).click();
  await dialog.getByLabel('Reason').fill('Too late');
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('list', { name: 'Cancelled' }).getByRole('link', { name: 'One' }).waitFor();
  await page.getByRole('list', { name: 'Cancelled' }).getByRole('listitem').dragTo(approved.locator('..'));
  await page.getByText('One cannot move to Approved from its state.').waitFor();
  const { body } = await home.api('GET', '/api/objects?objectTypeSlug=order&sortBy=name');
  expect(body.items).toMatchObject([
    { name: 'One', state: 'cancelled' },
    { name: 'Two', state: 'approved' },
  ]);
  expect(complaints).toEqual([]);
});

inBrowser('table, board and page show changes by others without a reload', async () => {
  const { home, page, complaints } = await entitiesSeen('/order');
  await page.getByText('None yet.').waitFor();
  const id = await addEntity(home, 'Order 7', { total: 7, approvedBy: 'Ada' });
  const table = page.getByRole('table', { name: 'Order' });
  await table.getByRole('link', { name: 'Order 7' }).click();
  await page.getByRole('status').getByText('Draft').waitFor();
  const move = (state: string, reason?: string) =>
    home.api('POST', `/api/objects/${id}/state`, { body: { state, reason } });
  expect((await move('approved')).status).toBe(201);
  await page.getByRole('status').getByText('Approved').waitFor();
  await page.goBack();
  await page.getByRole('tab', { name: 'Board' }).click();
  await page.getByRole('list', { name: 'Approved' }).getByText('Order 7').waitFor();
  expect((await move('cancelled', 'Withdrawn')).status).toBe(201);
  await page.getByRole('list', { name: 'Cancelled' }).getByText('Order 7').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'pages of entities are accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    await withTypes(home);
    const id = await addEntity(home, 'Order 1042', { total: 5, lines: [{ sku: 1 }] });
    const { page, complaints } = await openConsole(home.url, '/console/objects');
    await logInThere(page, owner);
    await page.getByRole('link', { name: 'Customer' }).waitFor();
    await expectAccessibleInAll(page);
    const at = async (path: string) => await page.goto(new URL(`/console/objects/${path}`, home.url).href);
    await at('order');
    await page.getByRole('link', { name: 'Order 1042' }).waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Total').waitFor();
    await expectAccessibleInAll(page);
    await at('order?columns=attributes.total,owner,created');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Move Total down' }).waitFor();
    await expectAccessibleInAll(page);
    await at('order?tab=board');
    await page.getByRole('link', { name: 'Order 1042' }).waitFor();
    await expectAccessibleInAll(page);
    await at('order?tab=settings');
    await page.getByRole('group', { name: 'Moves' }).waitFor();
    await expectAccessibleInAll(page);
    await page.getByText('JSON', { exact: true }).click();
    await page.getByRole('textbox', { name: 'States and moves' }).waitFor();
    await expectAccessibleInAll(page);
    await at(`order/${id}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Approved by').waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
