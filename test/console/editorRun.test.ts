import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { form, node, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const price = {
  ...{ slug: 'price', managedByCode: false, name: 'Price' },
  trigger: manual({ key: 'total', label: 'Total', type: 'number', required: true }),
  nodes: [
    action('lines', 'core.transform', { value: [{ sku: 'A', price: 2 }, { sku: 'B' }] }, { name: 'Lines' }),
    action('sum', 'core.transform', { value: '{{ trigger.total * 2 }}' }, { name: 'Sum' }),
    action('check', 'core.transform', { value: '{{ 100 / (trigger.total - trigger.total) }}' }, { name: 'Check' }),
  ],
  edges: chain('lines', 'sum', 'check'),
};
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

inBrowser(
  'the draft runs in place with its sample; steps show their state, input and output',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy(price);
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=sum`);
    await logInThere(page, owner);
    await write(page, 'Value', '{{ trigger.total * 3 }}');
    await button(page, 'Run').click();
    // Without a sample, the run asks for its input once.
    const dialog = page.getByRole('dialog', { name: 'Run with this input' });
    await dialog.getByLabel('Total').fill('14');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('group', { name: /^Check: .*Failed/ }).waitFor();
    await page.getByRole('group', { name: /^Sum: .*Completed/ }).waitFor();
    expect(await node(page, 'Sum').locator('.graph-node').getAttribute('data-tone')).toBe('good');
    await region(page, 'Output').getByText('42', { exact: true }).waitFor();
    await region(page, 'Input').getByText('value').waitFor();
    await button(page, 'Show Check').click();
    await node(page, 'Check').and(page.locator(':focus')).waitFor();
    await region(page, 'Output').getByText('EXPRESSION_FAILED').first().waitFor();
    await expectAccessibleInAll(page);

    await node(page, 'Lines').click();
    await region(page, 'Output').getByText('sku').first().waitFor();
    await region(page, 'Output').getByText('Table', { exact: true }).click();
    const table = region(page, 'Output').getByRole('table');
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['sku', 'price']);
    expect(await table.getByRole('cell').allTextContents()).toEqual(['A', '2', 'B', '']);
    await region(page, 'Output').getByText('JSON', { exact: true }).click();
    await region(page, 'Output').getByText('"sku": "A"').waitFor();

    // The run's values are those of previews now, and the next run starts at once.
    await node(page, 'Sum').click();
    await form(page).getByText('= 42').waitFor();
    await write(page, 'Value', '{{ trigger.total * 4 }}');
    await form(page).getByText('= 56').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await region(page, 'Output').getByText('56', { exact: true }).waitFor();
    const drafts = await home.api('GET', `/api/executions?filterBy=workflowId:${id},draft:true&expansion=startedBy`);
    expect(drafts.body).toHaveLength(2);
    expect((await home.api('GET', `/api/executions?filterBy=workflowId:${id}`)).body).toEqual([]);
    expect((await home.api('GET', `/api/workflows/${id}?expansion=version,hasDraft`)).body).toMatchObject({
      ...{ version: 1, hasDraft: true },
    });
    await button(page, 'Close the run').click();
    await region(page, 'Output').waitFor({ state: 'detached' });
    await poll(() => node(page, 'Sum').locator('.graph-node').getAttribute('data-tone')).toBeNull();

    await page.goto(new URL(`/console/workflows/${id}`, home.url).href);
    await page.getByText('No executions yet.').waitFor();
    await page.getByRole('switch', { name: 'Tests of the draft' }).check();
    await page.getByRole('table', { name: 'Executions' }).getByRole('link', { name: '#2' }).waitFor();
    await expectAccessibleInAll(page);
    await button(page, 'Run').click();
    const start = page.getByRole('dialog', { name: 'Run Price' });
    await start.getByLabel('Total').waitFor();
    expect(await start.getByLabel('Total').inputValue()).toBe('14');
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('a published version without changes runs, and leaves no draft behind', async () => {
  const { home, owner } = await homeWithOwner();
  const nodes = [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })];
  const id = await home.deploy({ slug: 'greet', managedByCode: false, trigger: manual(), nodes });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=hello`);
  await logInThere(page, owner);
  await button(page, 'Run').click();
  await region(page, 'Output').getByText('Hello', { exact: true }).waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=version,hasDraft`);
  expect(body).toMatchObject({ version: 1, hasDraft: false });
  await page.getByRole('link', { name: 'Open the execution' }).click();
  await page.waitForURL(/\/executions\//);
  expect(complaints).toEqual([]);
});
