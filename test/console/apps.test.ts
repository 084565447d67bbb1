import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form } from '../setup/browser/editorPage.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const BILLING = {
  slug: 'billing',
  name: 'Billing',
  description: 'Invoices of the shop.',
  managedByCode: false,
  runs: { on: 'http', baseUrl: 'https://billing.example' },
  actions: [
    {
      actionId: 'createInvoice',
      name: 'Create an invoice',
      inputConfig: {
        fields: [
          { key: 'amount', label: 'Amount', type: 'number', required: true },
          { key: 'note', label: 'Note', type: 'text', required: false },
        ],
      },
    },
    { actionId: 'findInvoice', name: 'Find an invoice', effect: 'read', inputConfig: { fields: [] } },
  ],
};

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'apps are listed with their actions; one that is used says by what, and is deleted afterwards: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const stored = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: BILLING });
    expect(stored.status).toBe(200);
    const id = await home.deploy({
      ...{ slug: 'bill', name: 'Bill an order', managedByCode: false },
      nodes: [action('bill', 'billing.createInvoice', { amount: 1 }, { name: 'Bill it' })],
    });
    const { page, complaints } = await openConsole(home.url, '/console/apps', { scheme, width });
    await logInThere(page, owner);
    const table = page.getByRole('table', { name: 'Apps' });
    await table.getByRole('link', { name: 'HTTP', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Show').selectOption({ label: 'Custom apps' });
    await table.getByRole('link', { name: 'HTTP', exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Find').fill('find an inv');
    await table.getByRole('link', { name: 'Billing' }).click();

    await page.getByRole('heading', { name: 'Billing' }).waitFor();
    await page.getByText('By HTTP requests').waitFor();
    await page.getByText('https://billing.example').waitFor();
    const actions = page.getByRole('table', { name: 'Actions' });
    const create = actions.getByRole('row', { name: /Create an invoice/ });
    await create.getByText('Writes').waitFor();
    await create.getByText('Amount (required), Note').waitFor();
    await actions
      .getByRole('row', { name: /Find an invoice/ })
      .getByText('Reads')
      .waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('link', { name: 'Bill an order' }).waitFor();
    await expectAccessible(page);
    await home.api('DELETE', `/api/workflows/${id}`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/apps');
    await page.getByText('Deleted: Billing.').waitFor();
    await table.getByRole('link', { name: 'HTTP', exact: true }).waitFor();
    await table.getByRole('link', { name: 'Billing' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  },
);

inBrowser('an app whose workers are away says that its steps wait', async () => {
  const { home, owner } = await homeWithOwner();
  const jobs = {
    ...{ slug: 'jobs', name: 'Jobs', runs: { on: 'worker', taskQueue: `of-test-${randomUUID()}` } },
    actions: [{ actionId: 'work', name: 'Work', effect: 'destructive' }],
  };
  expect((await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: jobs })).status).toBe(200);
  const { page, complaints } = await openConsole(home.url, '/console/apps/jobs');
  await logInThere(page, owner);
  const workers = page.getByRole('region', { name: 'Workers' });
  await workers.getByText('No worker polls').waitFor();
  await workers.getByText('never').waitFor();
  await page.getByText(jobs.runs.taskQueue).waitFor();
  await page.getByRole('row', { name: /Work/ }).getByText('Deletes or overwrites').waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

inBrowser('the editor offers the actions of custom apps', async () => {
  const { home, owner } = await homeWithOwner();
  await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, { body: BILLING });
  const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
  await logInThere(page, owner);
  const group = page.locator('.editor-palette').getByRole('region', { name: 'Billing' });
  await group.getByText('Custom').waitFor();
  await group.getByRole('button', { name: 'Create an invoice' }).click();
  await form(page).getByText('Billing: Create an invoice').waitFor();
  await form(page).getByRole('textbox', { name: 'Amount' }).waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
