// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { addField, form, node, problems, write } from '../setup/browser/editorPage.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser('a schedule, a poll and a queue are filled in as what starts a workflow, and saved so', async () => {
  const { home, owner } = await homeWithOwner();
  const queue = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Refunds' } });
  const id = await home.deploy({
    ...{ slug: 'started', managedByCode: false, name: 'Started', trigger: manual() },
    nodes: [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })],
  });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=trigger`);
  await logInThere(page, owner);
  const field = (name: string) => form(page).getByLabel(name);
  let version = 1;
  const saved = async (type: string, config: object) => {
    await problems(page).getByText('No problems.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    version += 1;
    await page.getByText(`Saved as version ${version}.`).waitFor();
    const { body } = await home.api('GET', `/api/workflows/${id}?expansion=triggerNode`);
    expect(body.triggerNode).toMatchObject({ type, config });
  };
  await field('Starts').selectOption('schedule');
  await field('Cron').fill('99 9 * * 1-5');
  await problems(page).getByRole('button').first().waitFor();
  await field('Cron').fill('30 9 * * 1-5');
  await field('Time zone').fill('Europe/Berlin');
  await field('While the last one still runs').selectOption('bufferOne');
  await field('Up to so much later').fill('1 min');
  const common = { timezone: 'Europe/Berlin', overlap: 'bufferOne', jitterMs: 60_000 };
  await saved('schedule', { cron: '30 9 * * 1-5', ...common });
  await field('Every').fill('10 min');
  expect(await field('Cron').inputValue()).toBe('');
  await saved('schedule', { everyMs: 600_000, ...common });

  await field('Starts').selectOption('poll');
  await field('App').selectOption('rss');
  await field('Event').selectOption('newItem');
  await form(page).getByRole('textbox', { name: 'URL' }).focus();
  await page.keyboard.insertText('https://example.org/news.xml');
  await field('Every').fill('10 min');
  await field('Items that are there already').selectOption('all');
  await saved('poll', {
    ...{ appId: 'rss', triggerId: 'newItem', inputs: { url: 'https://example.org/news.xml' } },
    ...{ everyMs: 600_000, startWith: 'all' },
  });

  await field('Starts').selectOption('queue');
  await field('Queue').selectOption({ label: 'Refunds' });
  await field('Items at once').fill('5');
  await saved('queue', { queueId: queue.body.id, batchSize: 5 });
  // What was filled in stands there when one comes back.
  await page.reload();
  await field('Queue').and(page.locator('select')).waitFor();
  expect(await field('Items at once').inputValue()).toBe('5');
  expect(complaints).toEqual([]);
});

inBrowser(
  'what a trigger needs is offered: where a queue is made, the one event of an app, and what an item has',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'started', managedByCode: false, name: 'Started', trigger: manual() },
      nodes: [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })],
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=trigger`);
    await logInThere(page, owner);
    const field = (name: string) => form(page).getByRole('combobox', { name, exact: true });
    await field('Starts').selectOption('poll');
    await field('App').selectOption('HTTP');
    expect(await field('Event').locator(':checked').textContent()).toBe('New entry of a list');
    await write(page, 'URL', 'https://example.org/orders');
    // Another app has other events, and asks for other things.
    await field('App').selectOption('RSS');
    expect(await field('Event').locator('option').allTextContents()).toEqual(['Choose…', 'New item']);
    expect(await field('Event').locator(':checked').textContent()).toBe('New item');
    expect(await form(page).getByRole('textbox', { name: 'URL' }).textContent()).toBe('');
    await field('Starts').selectOption('queue');
    await form(page).getByText('There is no queue yet.').waitFor();
    await node(page, 'Hello').click();
    await write(page, 'Value', '');
    await form(page).getByRole('button', { name: 'Insert…' }).first().click();
    await page.getByRole('option', { name: 'trigger.items[0].data{}' }).click();
    await form(page)
      .getByRole('textbox', { name: 'Value', exact: true })
      .getByText('{{ trigger.items[0].data }}')
      .waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('a default is written as a value of its field', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({
    ...{ slug: 'asks', managedByCode: false, name: 'Asks', trigger: manual() },
    nodes: [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })],
  });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=trigger`);
  await logInThere(page, owner);
  const last = (text: string) => form(page).locator('details', { hasText: text }).last();
  const preset = async (key: string, type: string) => {
    await addField(page, key, type);
    await last('Default, Help').locator('summary').click();
    return last('Default, Help');
  };
  // A text of digits is a text.
  await (await preset('code', 'Text')).getByRole('textbox', { name: 'Default' }).focus();
  await page.keyboard.insertText('42');
  await (await preset('count', 'Number')).getByRole('textbox', { name: 'Default' }).focus();
  await page.keyboard.insertText('42');
  await (await preset('fast', 'Yes or no')).getByRole('combobox', { name: 'Default' }).selectOption('Yes');
  const size = await preset('size', 'One of several');
  await form(page).getByRole('textbox', { name: 'Options' }).fill('small = Small one\nlarge');
  await size.getByRole('combobox', { name: 'Default' }).selectOption('Small one');
  await problems(page).getByText('No problems.').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved as version 2.').waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=triggerNode`);
  expect(body.triggerNode.config.fields.map((field: { default: unknown }) => field.default)).toEqual([
    ...['42', 42, true, 'small'],
  ]);
  expect(complaints).toEqual([]);
});

inBrowser(
  'the trigger names what it leads to and its address, defaults are shown, and a server that is back is asked again',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'hooked', managedByCode: false, name: 'Hooked' },
      trigger: { id: 'trigger', type: 'webhook', config: { respond: 'immediately' } },
      nodes: [
        action('call', 'http.request', { url: 'https://shop.example/' }, { name: 'Call the shop' }),
        control('each', 'forEach', { items: [] }, { name: 'Each order' }),
        action('inner', 'core.set', { values: {} }, { parentId: 'each' }),
      ],
      edges: chain('call', 'each'),
    });
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new?node=trigger');
    await logInThere(page, owner);
    await form(page).getByLabel('Starts').selectOption('webhook');
    await form(page).getByText('Save to get its address.').waitFor();
    await page.goto(new URL(`/console/workflows/${id}/edit?node=trigger`, home.url).href);
    await form(page)
      .getByText(`${new URL(home.url).origin}/api/webhooks/workflows/${id}`)
      .waitFor();
    await form(page).getByRole('button', { name: 'Copy the address' }).waitFor();
    await expectAccessibleInAll(page);
    expect(await form(page).getByText('Nothing follows.').count()).toBe(0);
    await form(page).getByRole('button', { name: 'Call the shop' }).click();
    await form(page).getByRole('heading', { name: 'Call the shop' }).waitFor();
    await form(page).getByText('If it fails', { exact: true }).click();
    await form(page).getByText('1 unless you set more.').waitFor();
    await page.goto(new URL(`/console/workflows/${id}/edit?node=each`, home.url).href);
    const onError = form(page).getByLabel('If an item fails');
    await onError.waitFor();
    expect(await onError.locator('option').first().textContent()).toBe('Default: stop the loop');
    await problems(page).getByText('No problems.').waitFor();
    // The network is away for this request alone.
    await page.route('**/api/workflows/validate', (route) => route.abort());
    await form(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Each of the orders');
    await problems(page).getByText('The server did not answer.').waitFor();
    await page.unroute('**/api/workflows/validate');
    await problems(page).getByText('The server did not answer.').waitFor({ state: 'detached' });
    await problems(page).getByText('No problems.').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
