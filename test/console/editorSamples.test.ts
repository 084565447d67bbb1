// test: long
import { describe, expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { add, addField, addValue, form, node, problems, tabTo, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('samples', () => {
  const KEPT = `Object.entries(localStorage).filter(([key]) => key.startsWith('perdure.samples.')).map(([, text]) => text).join()`;

  inBrowser(
    'a workflow that never ran is shown with samples: of a test, of what is written, kept, renamed, removed by keyboard',
    async () => {
      const { home, owner } = await homeWithOwner();
      const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
      await logInThere(page, owner);
      await form(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Bill');
      const section = form(page).locator('summary', { hasText: 'Sample' });
      const field = form(page).getByRole('textbox', { name: 'Sample as JSON' });
      const body = form(page).getByRole('status', { name: 'Preview: Body' });
      const choose = async (name: string) => {
        await page.getByRole('button', { name: 'Fit', exact: true }).click();
        await node(page, name).click({ position: { x: 20, y: 8 } });
        await form(page).getByRole('heading', { name, exact: true }).waitFor();
      };

      await choose('Trigger');
      await section.click();
      await form(page).getByRole('button', { name: 'From the example' }).click();
      await poll(() => field.inputValue()).toBe('{}');
      await field.fill('{"person": "Ada"');
      await page.keyboard.press('Tab');
      await form(page).getByText('This is not JSON. The sample has not changed.').waitFor();
      await field.fill('{"person": "Ada"}');
      await page.keyboard.press('Tab');
      await page.getByRole('group', { name: 'Trigger: by hand or by a program, has a sample' }).waitFor();
      await page.getByText('Values of 1 sample').waitFor();
      await add(page, 'Set fields', 'Order');
      await addValue(page, 'total', '{{ 100 + 15 }}');
      await addValue(page, 'who', '{{ trigger.person }}');
      await form(page).getByText('= "Ada"').waitFor();
      expect(await page.evaluate(KEPT)).toBe('');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published as version 1.').waitFor();
      await poll(() => page.evaluate<string>(KEPT)).toContain('"value":{"person":"Ada"}');

      await form(page).locator('summary', { hasText: 'Test' }).click();
      await form(page).getByRole('button', { name: 'Test this node' }).click();
      await form(page).getByRole('button', { name: 'Use as sample' }).click();
      await form(page).getByText('This is now the sample of the node.').waitFor();
      await page.getByText('Values of 2 samples').waitFor();
      await expectAccessibleInAll(page);
      await add(page, 'Respond', 'Say', 'Order');
      await write(page, 'Body', '{{ steps.order.output.who }} pays {{ steps.order.output.total }}');
      await body.getByText('= "Ada pays 115"').waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Published as version 2.').waitFor();

      await page.reload();
      await body.getByText('= "Ada pays 115"').waitFor();
      await page.getByRole('group', { name: 'Order: Core: Set fields, has a sample' }).waitFor();
      const workflowId = /workflows\/([^/]+)\/edit/.exec(page.url())?.[1] ?? '';
      const stored = await home.api('GET', `/api/workflows/${workflowId}?expansion=nodes,edges,trigger`);
      expect(JSON.stringify(stored.body)).not.toContain('Ada');
      await choose('Order');
      await section.click();
      await poll(() => field.inputValue()).toBe(JSON.stringify({ who: 'Ada', total: 115 }, null, 2));
      await expectAccessibleInAll(page);

      await form(page).getByRole('textbox', { name: 'Id', exact: true }).fill('bought');
      await page.keyboard.press('Enter');
      await choose('Say');
      await form(page).getByText('{{ steps.bought.output.who }}').waitFor();
      await body.getByText('= "Ada pays 115"').waitFor();
      await choose('Order');
      await form(page).getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Values of 1 sample').waitFor();
      await poll(() => page.evaluate<string>(KEPT)).not.toContain('bought');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Values of 2 samples').waitFor();
      await choose('Say');
      await body.getByText('= "Ada pays 115"').waitFor();

      await choose('Order');
      await form(page).getByRole('textbox', { name: 'Id', exact: true }).focus();
      await tabTo(page, 'Sample');
      await page.keyboard.press('Enter');
      await tabTo(page, 'Remove the sample');
      await page.keyboard.press('Enter');
      await field.and(page.locator(':focus')).waitFor();
      await poll(() => field.inputValue()).toBe('');
      await page.getByText('Values of 1 sample').waitFor();
      await choose('Say');
      await body.getByText(/steps\.bought.* is missing/).waitFor();
      await page.getByRole('tab', { name: 'Graph' }).focus();
      await tabTo(page, 'Remove it');
      await page.keyboard.press('Enter');
      await page.getByRole('tab', { name: 'Graph' }).and(page.locator(':focus')).waitFor();
      await form(page).getByText('A preview appears after the first run, or if there are samples.').waitFor();
      expect(await page.evaluate(KEPT)).toBe('');
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );

  inBrowser(
    'samples go before the values of an execution, also in a test, where nodes of it are gone; what is too large is refused',
    async () => {
      const { home, owner } = await homeWithOwner();
      const graph = { slug: 'bill', managedByCode: false, name: 'Bill', trigger: manual() };
      const price = action('price', 'core.set', { values: { total: 1 } }, { name: 'Price' });
      const say = control('say', 'respond', { body: 'pays {{ steps.price.output.total }}' }, { name: 'Say' });
      const old = action('old', 'core.set', { values: {} });
      const id = await home.deploy({ ...graph, nodes: [old, price, say], edges: chain('old', 'price', 'say') });
      await home.ended(await home.execute(id));
      await home.deploy({ ...graph, nodes: [price, say], edges: chain('price', 'say') });
      const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=price`);
      await logInThere(page, owner);
      await form(page).locator('summary', { hasText: 'Sample' }).click();
      const field = form(page).getByRole('textbox', { name: 'Sample as JSON' });
      await field.fill(JSON.stringify('x'.repeat(200_000)));
      await page.keyboard.press('Tab');
      await form(page).getByText('Not saved: it has 200.0 kB, and a sample may have at most 200.0 kB.').waitFor();
      await field.fill('{"total": 99}');
      await page.keyboard.press('Tab');
      await page.getByText('1 sample replaces its values').waitFor();
      await node(page, 'Say').click();
      await form(page).getByText('= "pays 99"').waitFor();
      await form(page).locator('[data-field="inputs.body"]').getByRole('button', { name: 'Insert…' }).click();
      await page.getByRole('listbox').getByRole('option', { name: 'steps.price.output.total99' }).waitFor();
      await page.keyboard.press('Escape');
      await form(page).locator('summary', { hasText: 'Test' }).click();
      await form(page).getByRole('button', { name: 'Test this node' }).click();
      await form(page)
        .getByText(/^Completed in/)
        .waitFor();
      await form(page).locator('pre', { hasText: '"body": "pays 99"' }).last().waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe('triggers', () => {
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
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      version += 1;
      await page.getByText(`Published as version ${version}.`).waitFor();
      const { body } = await home.api('GET', `/api/workflows/${id}?expansion=triggerNode`);
      expect(body.triggerNode).toMatchObject({ type, config });
    };
    await field('Starts').selectOption('schedule');
    await field('Cron').fill('99 9 * * 1-5');
    await problems(page).getByRole('button').first().waitFor();
    await field('Cron').fill('30 9 * * 1-5');
    await field('Time zone').fill('Europe/Berlin');
    await field('If the previous one is still running').selectOption('bufferOne');
    await field('Jitter (maximum delay)').fill('1 min');
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
    await field('Existing items').selectOption('all');
    await saved('poll', {
      ...{ appId: 'rss', triggerId: 'newItem', inputs: { url: 'https://example.org/news.xml' } },
      ...{ everyMs: 600_000, startWith: 'all' },
    });

    await field('Starts').selectOption('queue');
    await field('Queue').selectOption({ label: 'Refunds' });
    await field('Items at once').fill('5');
    await saved('queue', { queueId: queue.body.id, batchSize: 5 });
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
      await field('App').selectOption('RSS');
      expect(await field('Event').locator('option').allTextContents()).toEqual(['Choose…', 'New item']);
      expect(await field('Event').locator(':checked').textContent()).toBe('New item');
      expect(await form(page).getByRole('textbox', { name: 'URL' }).textContent()).toBe('');
      await field('Starts').selectOption('queue');
      await form(page).getByText('No queue yet.').waitFor();
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
    await (await preset('code', 'Text')).getByRole('textbox', { name: 'Default' }).focus();
    await page.keyboard.insertText('42');
    await (await preset('count', 'Number')).getByRole('textbox', { name: 'Default' }).focus();
    await page.keyboard.insertText('42');
    await (await preset('fast', 'Yes or no')).getByRole('combobox', { name: 'Default' }).selectOption('Yes');
    const size = await preset('size', 'One of several');
    await form(page).getByRole('textbox', { name: 'Options' }).fill('small = Small one\nlarge');
    await size.getByRole('combobox', { name: 'Default' }).selectOption('Small one');
    await problems(page).getByText('No problems.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 2.').waitFor();
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
      await form(page).getByText('The address appears after the first save.').waitFor();
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
      await form(page).getByText('Default: 1.').waitFor();
      await page.goto(new URL(`/console/workflows/${id}/edit?node=each`, home.url).href);
      const onError = form(page).getByLabel('If an item fails');
      await onError.waitFor();
      expect(await onError.locator('option').first().textContent()).toBe('Default: stop the loop');
      await problems(page).getByText('No problems.').waitFor();
      // The network fails for this request only.
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
});
