import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

type Step = { status: string };

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

    // The dialog names the users of the app, and deletes it as soon as there are none.
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Bill an order' }).waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page);
    await home.api('DELETE', `/api/workflows/${id}`);
    await poll(() => confirm.isEnabled()).toBe(true);
    await confirm.click();
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
  await workers.getByText('No execution waits for a worker.').waitFor();
  await page.getByText(jobs.runs.taskQueue).waitFor();
  await page.getByRole('row', { name: /Work/ }).getByText('Deletes or overwrites').waitFor();
  const id = await home.deploy({ name: 'Do the work', nodes: [action('do', 'jobs.work', {}, { name: 'Do it' })] });
  const executionId = await home.execute(id);
  await home.until(executionId, ({ executionPath }) => executionPath.some((step: Step) => step.status === 'WAITING'));
  await page.reload();
  const waiting = workers.getByRole('link', { name: '1 execution waits for a worker' });
  await waiting.waitFor();
  await expectAccessible(page);
  await waiting.click();
  await page.waitForURL(`**/executions?waitingForWorker=${jobs.runs.taskQueue}`);
  await page.getByRole('table', { name: 'Executions' }).getByRole('link', { name: '#1' }).click();
  await page.getByText(`“Do it” waits: no worker polls ${jobs.runs.taskQueue}.`).waitFor();
  await page.getByRole('tab', { name: 'Steps' }).click();
  await page.getByText('Start a worker on this task queue').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Workers of the app' }).click();
  await workers.getByText('No worker polls').waitFor();
  await home.api('POST', `/api/executions/${executionId}/cancel`);
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

const SHOP = `
openapi: 3.1.0
info: { title: Tea shop, version: "1" }
servers: [{ url: "https://tea.example" }]
paths:
  /teas:
    get: { operationId: listTeas, summary: List teas }
    post: { operationId: addTea, summary: Add a tea }
  /teas/{id}:
    delete:
      operationId: removeTea
      summary: Remove a tea
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
webhooks:
  sold: { post: { operationId: sold } }
`;

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)('an OpenAPI document becomes an app of the chosen actions: %s, %i wide', async (scheme, width) => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/apps', { scheme, width });
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByRole('textbox', { name: 'Document' });
  await text.fill('openapi: 3.1.0\npaths: [1]');
  await dialog.getByRole('button', { name: 'Read the document' }).click();
  await dialog.getByText(/paths/).first().waitFor();
  await expectAccessible(page);
  await text.fill(SHOP);
  await dialog.getByRole('button', { name: 'Read the document' }).click();
  await dialog.getByText('Actions: 3 of 3').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Find an action' }).fill('remove');
  await dialog.getByRole('button', { name: 'Remove these' }).click();
  await dialog.getByText('Actions: 2 of 3').waitFor();
  await dialog.getByRole('textbox', { name: 'Slug' }).fill('http');
  await dialog.getByText('The built-in app HTTP has this slug.').waitFor();
  await dialog.getByRole('textbox', { name: 'Slug' }).fill('tea');
  await dialog.getByRole('button', { name: 'Import 2 actions' }).click();
  await page.waitForURL('**/apps/tea');
  await page.getByRole('heading', { name: 'Tea shop' }).waitFor();
  const actions = page.getByRole('table', { name: 'Actions' });
  await actions.getByText('List teas', { exact: true }).waitFor();
  await actions.getByText('Add a tea', { exact: true }).waitFor();
  const { body } = await home.api('GET', '/api/workflow-apps/tea');
  expect(body.actions.map(({ actionId }: { actionId: string }) => actionId)).toEqual(['listTeas', 'addTea']);
  expect(complaints).toEqual([]);
});
