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
import { add, addValue, form, node, tabTo, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

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
      await page.getByRole('button', { name: 'Fit View' }).click();
      await node(page, name).click({ position: { x: 20, y: 8 } });
      await form(page).getByRole('heading', { name, exact: true }).waitFor();
    };

    // What a start brings, before there is anything on the server.
    await choose('Trigger');
    await section.click();
    await form(page).getByRole('button', { name: 'From the example' }).click();
    await poll(() => field.inputValue()).toBe('{}');
    await field.fill('{"person": "Ada"');
    await page.keyboard.press('Tab');
    await form(page).getByText('This is not JSON. The sample is as it was.').waitFor();
    await field.fill('{"person": "Ada"}');
    await page.keyboard.press('Tab');
    await page.getByRole('group', { name: 'Trigger: by hand or by a program, has a sample' }).waitFor();
    await page.getByText('Values of 1 sample').waitFor();
    await add(page, 'Set fields', 'Order');
    await addValue(page, 'total', '{{ 100 + 15 }}');
    await addValue(page, 'who', '{{ trigger.person }}');
    await form(page).getByText('= "Ada"').waitFor();
    expect(await page.evaluate(KEPT)).toBe('');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved as version 1.').waitFor();
    await poll(() => page.evaluate<string>(KEPT)).toContain('"value":{"person":"Ada"}');

    await form(page).locator('summary', { hasText: 'Test' }).click();
    await form(page).getByRole('button', { name: 'Test this node' }).click();
    await form(page).getByRole('button', { name: 'Use as sample' }).click();
    await form(page).getByText('It is the sample of this node now.').waitFor();
    await page.getByText('Values of 2 samples').waitFor();
    await expectAccessibleInAll(page);
    await add(page, 'Respond', 'Say', 'Order');
    await write(page, 'Body', '{{ steps.order.output.who }} pays {{ steps.order.output.total }}');
    await body.getByText('= "Ada pays 115"').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved as version 2.').waitFor();

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

    // It goes where its node goes.
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

    // By keyboard alone.
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
    await form(page).getByText('Once it has run, or has samples, this shows what it becomes.').waitFor();
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
    await form(page).getByText('It is not kept: it has 200.0 kB, and a sample at most 200.0 kB.').waitFor();
    await field.fill('{"total": 99}');
    await page.keyboard.press('Tab');
    await page.getByText('1 sample in place of its values').waitFor();
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
