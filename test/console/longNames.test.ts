// test: long
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenherstellung';
const each = control('each', 'forEach', { items: [1, 0, 2], onItemError: 'continue' }, { name: 'Each invoice' });
const divide = action(
  'divide',
  'core.transform',
  { value: '{{ 1 / loop.item }}' },
  { name: 'Divide', parentId: 'each' },
);
const graph = {
  slug: 'long',
  name: `Rechnungen der ${WORD}`,
  labels: { customer: WORD, order: 'A-1' },
  nodes: [each, divide, action('after', 'core.set', { values: {} }, { name: 'Sum up' })],
  edges: chain('each', 'after'),
};

const isWithin = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

inBrowser('at 320 pixels, which are 400 % of 1280, no page of daily work is scrolled sideways', async () => {
  const { home, owner } = await homeWithOwner();
  const { id } = await home.run(graph);
  const { page, complaints } = await openConsole(home.url, '/console/', { width: 320, scheme: 'dark' });
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Slowest' }).waitFor();
  await page.getByRole('table', { name: /^Executions, last 24 hours/ }).waitFor();
  expect(await isWithin(page)).toBe(true);
  for (const [path, heading] of [
    ['inbox', 'Inbox'],
    ['executions', 'Executions'],
    ['queues', 'Queues'],
    [`executions/${id}`, /^#1 Rechnungen/],
  ] as const) {
    await page.goto(new URL(`/console/${path}`, home.url).href);
    await page.getByRole('heading', { name: heading }).waitFor();
    if (path.startsWith('executions')) await page.getByText(`customer=${WORD}`).waitFor();
    expect([path, await isWithin(page)]).toEqual([path, true]);
  }
  // Each row of the list of steps has its name.
  await page.getByRole('tab', { name: 'Steps' }).click();
  const names = page.getByRole('region', { name: 'Steps' }).locator('.step-name');
  await names.getByText('Sum up').waitFor();
  const isCut = "[...document.querySelectorAll('.step-name')].map((name) => name.scrollWidth > name.clientWidth)";
  expect(await page.evaluate(isCut)).toEqual([false, false, false, false, false]);
  expect(complaints).toEqual([]);
});

inBrowser('bars of the timeline have the colour of their state after the graph was looked at, too', async () => {
  const { home, owner } = await homeWithOwner();
  const { id } = await home.run(graph);
  const { page, complaints } = await openConsole(home.url, `/console/executions/${id}?tab=timeline`);
  await logInThere(page, owner);
  const bars = page.locator('.timeline-bar');
  const looks = (): Promise<[number, string][]> =>
    page.evaluate(`[...document.querySelectorAll('.timeline-bar')].map((bar) =>
      [bar.getBoundingClientRect().width, getComputedStyle(bar).backgroundColor])`);
  await bars.nth(4).waitFor();
  const before = await looks();
  expect(new Set(before.map(([, colour]) => colour)).size).toBe(2);
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('.graph-node').first().waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await bars.nth(4).waitFor();
  expect(await looks()).toEqual(before);
  expect(complaints).toEqual([]);
});

inBrowser('a node without a name is called as its steps are, wherever the page of its execution names it', async () => {
  const { home, owner } = await homeWithOwner();
  const workflowId = await home.deploy({
    trigger: manual(),
    nodes: [action('keep', 'core.set', { values: { a: 1 } }), action('later', 'core.set', { values: { a: 2 } })],
  });
  const id = await home.execute(workflowId, {});
  await home.ended(id);
  const { page } = await openConsole(home.url, `/console/executions/${id}`);
  await logInThere(page, owner);
  const graph = page.getByRole('region', { name: 'Graph of the execution' });
  await graph.getByText('Set fields').nth(1).waitFor();
  expect(await graph.getByText('keep').count()).toBe(0);
  await page.getByRole('tab', { name: 'Steps' }).click();
  const names = await page.getByRole('combobox', { name: 'Step' }).getByRole('option').allTextContents();
  expect(names).toEqual(['All steps', 'Set fields (keep)', 'Set fields (later)']);
});
