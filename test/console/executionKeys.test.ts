// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

/** Fails where it is started with 0. */
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
  // In a dialog letters are no keys.
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
  // With the letters off neither the retry nor another page came.
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
  await tab('Its executions').waitFor();
  await page.getByRole('table', { name: 'Executions' }).getByRole('link').click();
  await page.getByRole('heading', { name: /^#\d+ Divide$/ }).waitFor();
  await page.getByRole('link', { name: 'Divide', exact: true }).click();
  await page.waitForURL(`**/workflows/${workflowId}`);
  expect(complaints).toEqual([]);
});

inBrowser('rows of a list are chosen by keys, one, all, or up to this one; [ and ] lead through the list', async () => {
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
});

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
  await page.getByRole('button', { name: 'Change sides' }).click();
  await page.getByRole('heading', { name: 'Compare #1' }).waitFor();
  await rows.filter({ hasText: 'Last' }).getByText('only in #1').waitFor();
  expect(new URL(page.url()).searchParams.get('with')).toBe(bad);
  expect(complaints).toEqual([]);
});
