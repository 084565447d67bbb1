import { expect } from '@jest/globals';
import { inBrowser } from '../setup/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/consolePage.ts';
import { action, manual, webhook } from '../setup/graph.ts';
import { homeWithOwner } from '../setup/home.ts';

withBrowser();

const greet = action('greet', 'core.set', { values: { hello: '{{ trigger.name }}' } }, { name: 'Greet' });
const form = manual(
  { key: 'name', label: 'Your name', type: 'text', required: true },
  { key: 'times', label: 'Times', type: 'number', required: false, default: 2 },
);
const greeting = { slug: 'greeting', name: 'Greeting', trigger: form, nodes: [greet], managedByCode: false };

inBrowser('workflows are found by name, state and trigger; a paused one shows what it holds', async () => {
  const { home, owner } = await homeWithOwner();
  const held = await home.deploy({ ...greeting, maxConcurrent: 3 });
  await home.run({ name: 'Broken', nodes: [action('broken', 'testing.fail', { retryable: false })] });
  await home.deploy({ name: 'Orders', slug: 'orders', trigger: webhook(), nodes: [], isActive: false });
  await home.api('POST', `/api/workflows/${held}/pause`);
  await home.execute(held, { name: 'Ada' });
  const { page, complaints } = await openConsole(home.url, '/console/workflows');
  await logInThere(page, owner);
  const table = page.getByRole('table', { name: 'Workflows' });
  await table.getByRole('link', { name: 'Broken' }).waitFor();
  await table
    .getByRole('row', { name: /Broken/ })
    .getByRole('link', { name: '1 failed' })
    .waitFor();
  await page.getByLabel('State').selectOption({ label: 'Paused' });
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table
    .getByRole('row', { name: /Greeting/ })
    .getByText('Paused')
    .waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Trigger').selectOption({ label: 'Webhook' });
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table
    .getByRole('row', { name: /Orders/ })
    .getByText('Inactive')
    .waitFor();
  expect(new URL(page.url()).searchParams.get('trigger')).toBe('webhook');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Find', { exact: true }).fill('GREET');
  await page.getByLabel('Find', { exact: true }).press('Enter');
  await table.getByRole('link', { name: 'Broken' }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('table', { name: 'Executions' }).getByText('Held').waitFor();
  expect(new URL(page.url()).searchParams.get('held')).toBe('true');
  expect(complaints).toEqual([]);
});

inBrowser(
  'a workflow is run by its form, again with the last inputs, and paused, which says what it does',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy(greeting);
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}`);
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Greeting' }).waitFor();
    await page.getByRole('region', { name: 'Graph of the workflow' }).getByText('Greet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await dialog.getByText('This is needed.').waitFor();
    await dialog.getByLabel('Your name').fill('Ada');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: '#1 Greeting' }).waitFor();
    await page.getByRole('status').getByText('Completed').waitFor();
    await page.goto(new URL(`/console/workflows/${id}`, home.url).href);
    await page.getByRole('link', { name: '#1' }).waitFor();
    await page.getByRole('region', { name: 'The last 30 days' }).getByText('1 execution', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await dialog.getByLabel('Last inputs').selectOption({ index: 1 });
    expect(await dialog.getByLabel('Your name').inputValue()).toBe('Ada');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByText('What runs goes on to its end.').waitFor();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await home.execute(id, { name: 'Bob' });
    await page.reload();
    await page.getByRole('link', { name: '1 execution is held' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('link', { name: '#2' }).waitFor();
    expect(complaints).toEqual([]);
  },
);
