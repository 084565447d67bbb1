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
import { add, addField, addValue, form, isInGraph, node, problems, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const zoomOf = (page: Page) =>
  page.evaluate<number>("new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a");

const heightOf = async (page: Page, name: string) => {
  const { y = 0, height = 0 } = (await node(page, name).first().boundingBox()) ?? {};
  return y + height / 2;
};

/** Returns the centre of the edge between two nodes, relative to the canvas. */
async function betweenOf(page: Page, one: string, other: string): Promise<{ x: number; y: number }> {
  const [from, to, outer] = await Promise.all(
    [node(page, one).first(), node(page, other).first(), page.locator('.editor-canvas')].map((each) =>
      each.boundingBox(),
    ),
  );
  if (from == null || to == null || outer == null) throw new Error(`${one} or ${other} is not there`);
  return { x: (from.x + from.width + to.x) / 2 - outer.x, y: from.y + from.height / 2 - outer.y };
}

inBrowser(
  'builds a workflow of a dozen nodes in the editor, runs it, and previews its expressions',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
    await logInThere(page, owner);
    await write(page, 'Name', 'Ship orders');
    await node(page, 'Trigger').click();
    await addField(page, 'order', 'Text');
    await addField(page, 'amount', 'Number');
    await addField(page, 'lines', 'JSON');

    await add(page, 'Set fields', 'Total');
    expect(await page.evaluate("document.querySelector('.editor-form').scrollTop")).toBe(0);
    await addValue(page, 'net', '{{ trigger.amount / 1.25 }}');
    // The id follows a new name.
    expect(await form(page).getByRole('textbox', { name: 'Id', exact: true }).inputValue()).toBe('total');
    await form(page).getByText('A preview appears after the first run, or if there are samples.').waitFor();
    await add(page, 'Condition', 'Is it much');
    // Typed key by key, because the editor closes the expression itself.
    await form(page).getByRole('textbox', { name: 'Condition', exact: true }).click();
    await page.locator('.editor-form .cm-editor.cm-focused').waitFor();
    await page.keyboard.type('{{ trigger.amount > 100');
    await problems(page).getByText('No problems.').waitFor();
    await node(page, 'Is it much').getByText('false').waitFor();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await poll(() => isInGraph(page, 'Is it much')).toBe(true);
    const canvas = page.locator('.editor-canvas');
    const targetPosition = await betweenOf(page, 'Total', 'Is it much');
    await page
      .locator('.editor-palette')
      .getByRole('button', { name: 'Transform', exact: true })
      .dragTo(canvas, { targetPosition });
    await form(page).getByRole('heading', { name: 'Transform' }).waitFor();
    await form(page).getByRole('button', { name: 'Is it much', exact: true }).waitFor();
    // A new id keeps the form and its focus.
    await write(page, 'Id', 'dear');
    await page.keyboard.press('Tab');
    await form(page).getByRole('textbox', { name: 'Value' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.insertText('{{ trigger.lines }}');
    await add(page, 'Ask a person', 'Approve', 'Is it much');
    await write(page, 'Title', 'Ship {{ trigger.order }}?');
    await addField(page, 'approved', 'Yes or no');
    expect(await form(page).getByLabel('Who may answer').inputValue()).toBe('members');
    await add(page, 'Transform', 'Small', 'Is it much');
    await write(page, 'Value', '{{ trigger.order + " is small" }}');
    // The order of ways is the order of nodes, so that edges do not cross.
    expect(await heightOf(page, 'Approve')).toBeLessThan(await heightOf(page, 'Small'));
    await add(page, 'For each', 'Each line', 'Approve');
    await write(page, 'Items', '{{ trigger.lines }}');
    await add(page, 'Transform', 'Price');
    await write(page, 'Value', '{{ loop.item.price * loop.item.count }}');
    await add(page, 'Set fields', 'Line');
    await addValue(page, 'sum', '{{ steps.price.output }}');
    await add(page, 'Wait', 'Pause', 'Each line');
    await write(page, 'For', '1 s');
    await add(page, 'Sort a list', 'Dear ones first');
    await write(page, 'Items', '{{ trigger.lines }}');
    await write(page, 'By', '[{"field": "price", "direction": "desc"}]');
    await add(page, 'Condition', 'Are there any');
    await write(page, 'Condition', '{{ size(steps.dearOnesFirst.output) > 0 }}');
    await add(page, 'Set fields', 'Shipped');
    await addValue(page, 'first', '{{ steps.dearOnesFirst.output[0].price }}');
    await form(page).getByRole('button', { name: 'Edit as JSON: Fields' }).click();
    await form(page).getByRole('textbox', { name: 'Fields', exact: true }).getByText('"first"').waitFor();
    await write(
      page,
      'Fields',
      '{"first": "{{ steps.dearOnesFirst.output[0].price }}", "net": "{{ steps.total.output.net }}"}',
    );
    await form(page).getByRole('button', { name: 'Edit as rows: Fields' }).click();
    await form(page).getByRole('textbox', { name: 'Value of net' }).getByText('{{ steps.total.output.net }}').waitFor();
    await add(page, 'Stop', 'Nothing to ship', 'Are there any');
    // A question has a way for expiry. The node is found from anywhere in the graph.
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await node(page, 'Nothing to ship').focus();
    await page.keyboard.press('f');
    await page.keyboard.type('ask a');
    await page.getByRole('option', { name: 'Approve · approve · Ask a person' }).waitFor();
    await page.keyboard.press('Enter');
    await node(page, 'Approve').and(page.locator(':focus')).waitFor();
    await poll(() => zoomOf(page)).toBeGreaterThanOrEqual(0.75);
    await form(page).getByRole('button', { name: 'Add after “expired”' }).click();
    await page.getByText('Goes after “Approve” via “expired”.').waitFor();
    await add(page, 'Stop', 'Nobody answered');
    await node(page, 'Approve').first().click();
    await form(page).getByText('by “expired”', { exact: true }).waitFor();
    expect(
      await form(page)
        .getByRole('button', { name: /^Add after “/ })
        .count(),
    ).toBe(0);
    expect(await page.locator('.react-flow__node').count()).toBe(15);
    await problems(page).getByText('No problems.').waitFor();
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await expectAccessibleInAll(page);

    await poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('Nothing to ship');
    await page.reload();
    await page.getByRole('button', { name: 'Resume the draft' }).click();
    await node(page, 'Nothing to ship').waitFor();
    await poll(() => isInGraph(page, 'Nothing to ship')).toBe(true);
    await poll(() => isInGraph(page, 'Trigger')).toBe(true);

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 1.').waitFor();
    await page.goto(page.url().replace(/\/edit.*/, '?run=yes'));
    const run = page.getByRole('dialog', { name: 'Run Ship orders' });
    await run.getByLabel('order').fill('A-1');
    await run.getByLabel('amount').fill('250');
    await run.getByLabel('lines').fill('[{"price": 3, "count": 2}, {"price": 5, "count": 1}]');
    await run.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/executions\/[0-9a-f-]{36}/);
    const executionId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await home.asked(executionId, 'approve');
    await home.submit(executionId, 'approve', { approved: true }, undefined, await home.person());
    expect((await home.ended(executionId)).output).toEqual({ first: 5, net: 200 });
    const { body: list } = await home.api('GET', '/api/workflows?filterBy=slug:ship-orders');
    await page.goto(new URL(`/console/workflows/${list[0].id}/edit`, home.url).href);
    await node(page, 'Total').click();
    await form(page).getByText('= 200').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
