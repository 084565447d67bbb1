// test: long
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { olderExecutions } from '../setup/database/olderExecutions.ts';
import { action, chain, control, manual, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

describe('times', () => {
  inBrowser('finds executions of one hour by their bar and by typing, in local time and in UTC', async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({ nodes: [action('set', 'core.set', { values: { a: 1 } })] });
    for (const _ of [1, 2, 3]) await home.ended(await home.execute(workflowId));
    await stackDatabase().$executeRaw`
    UPDATE executions SET started_at = CASE number WHEN 1 THEN '2026-03-10T02:00:00Z' ELSE '2026-03-10T03:00:00Z' END::timestamptz
    WHERE workflow_id = ${workflowId}::uuid AND number < 3`;
    const { page, complaints } = await openConsole(home.url, '/console/', { zone: 'Asia/Kolkata' });
    await logInThere(page, owner);
    await page.locator('.outcomes-bar[title*="1 completed"]').click();
    const row = (number: number) => page.getByRole('link', { name: `#${number}`, exact: true });
    await row(3).waitFor();
    const from = page.getByLabel('Started from');
    expect(await from.inputValue()).toMatch(/:30$/);
    await from.fill('2026-03-10T07:30');
    await page.getByLabel('Started before').fill('2026-03-10T08:30');
    await row(3).waitFor({ state: 'hidden' });
    await row(1).waitFor();
    expect(await row(2).count()).toBe(0);
    expect(await page.locator('tbody time').getAttribute('title')).toContain('7:30:00');
    await page.getByRole('button', { name: 'account and appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Started from, UTC').waitFor();
    expect(await from.inputValue()).toBe('2026-03-10T02:00');
    await page.locator('tbody time[title*="2:00:00"][title$="UTC"]').waitFor();
    await expectAccessible(page);
    await from.fill('2026-03-10T03:00');
    await page.getByText('No execution matches these filters.').waitFor();
    await page.getByLabel('Started before').fill('2026-03-10T03:01');
    await row(2).waitFor();
    await page.reload();
    await row(2).waitFor();
    expect(await from.inputValue()).toBe('2026-03-10T03:00');
    await page.getByLabel('Started', { exact: true }).selectOption('Any time');
    await row(3).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
  });
});

describe('relative times', () => {
  const PAGE = 50;
  const ROWS = 3 * PAGE + 1;

  inBrowser(
    'a list of the last hour stays the same while minutes pass, with its pages and pending actions',
    async () => {
      const { home, owner } = await homeWithOwner();
      const asking = await home.execute(await home.deploy({ nodes: [question('ask')], slug: 'ask', name: 'Ask' }));
      await home.asked(asking, 'ask');
      await olderExecutions(asking, ROWS - 1);
      const { page, complaints } = await openConsole(home.url, '/console/');
      await logInThere(page, owner);
      await page.getByRole('heading', { name: 'Running' }).waitFor();
      await page.clock.install({ time: Date.now() });
      await page.goto(new URL('/console/executions?since=1h', home.url).href);
      const more = page.getByRole('button', { name: 'Show more' });
      await more.click();
      await more.click();
      const all = page.locator(`[aria-rowcount="${3 * PAGE + 1}"]`);
      await all.waitFor();

      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Cancel 1 execution?' });
      const reason = dialog.getByLabel(/^Reason/);
      await reason.fill('The shop is ');
      const readAgain = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/executions');
      await page.clock.fastForward(61_000);
      await (await readAgain).finished();
      await reason.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('closed');
      expect(await reason.inputValue()).toBe('The shop is closed');
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      expect((await home.ended(asking)).status).toBe('CANCELLED');
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await all.waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe('timeline', () => {
  /** An action that fails twice, half a second apart; a pause of a second; an open question. */
  const graph = {
    slug: 'rates',
    name: 'Rates',
    nodes: [
      action(
        'fetch',
        'testing.fail',
        { times: 2, message: 'None is left' },
        {
          name: 'Fetch the rates',
          retry: { maximumAttempts: 3, initialIntervalMs: 500, backoffCoefficient: 1 },
        },
      ),
      control('pause', 'delay', { forMs: 1_000 }, { name: 'Wait a little' }),
      question('ask', {}, { name: 'Ask a person' }),
    ],
    edges: chain('trigger', 'fetch', 'pause', 'ask'),
  };

  async function openTimeline(change: (executionId: string) => Promise<unknown> = async () => {}) {
    const { home, owner } = await homeWithOwner();
    const id = await home.execute(await home.deploy(graph));
    await home.asked(id, 'ask');
    await change(id);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${id}?tab=timeline`);
    await logInThere(page, owner);
    const steps = page.getByRole('region', { name: 'Steps in time' });
    const row = (name: string) => steps.getByRole('button', { name });
    await row('Ask a person').waitFor();
    return { home, id, page, complaints, steps, row };
  }

  const kindsIn = async (row: Locator) =>
    Promise.all((await row.locator('.timeline-bar').all()).map((bar) => bar.getAttribute('data-kind')));
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const isOff = async (one: Locator) => (await one.getAttribute('aria-disabled')) === 'true';

  inBrowser(
    'a bar distinguishes attempts and waits by more than colour; the keyboard selects a step, its neighbours and the whole',
    async () => {
      const { home, id, page, complaints, row } = await openTimeline();
      const fetchRow = row('Fetch the rates');
      expect(await fetchRow.textContent()).toContain('3 attempts');
      expect(await kindsIn(fetchRow)).toEqual(['failed', 'between', 'failed', 'between', 'attempt']);
      expect(await kindsIn(row('Wait a little'))).toEqual(['waits']);
      expect(await kindsIn(row('Ask a person'))).toEqual(['waits']);
      await fetchRow.getByTitle(/^Attempt 1 failed: TEST_FAILURE, /).waitFor();
      await page.getByText('failed attempt').waitFor();
      await page.getByText('+0 s', { exact: true }).waitFor();

      await fetchRow.focus();
      await page.keyboard.press('Enter');
      await button(page, 'Zoom to the step').focus();
      await page.keyboard.press('Enter');
      await page.getByText(/^\+0 s to \+/).waitFor();
      await page.getByText(/Steps left out: [12] after it\./).waitFor();
      expect(await row('Ask a person').count()).toBe(0);
      // Earlier is disabled but stays, so the focus stays, too.
      expect(await isOff(button(page, 'Earlier'))).toBe(true);
      expect(await isOff(button(page, 'Zoom to the step'))).toBe(true);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Zoom to the step');
      const range = page.getByRole('group', { name: 'Zoom' }).locator('xpath=following-sibling::*[1]/span');
      const ranges = [await range.textContent()];
      for (const name of ['Zoom in', 'Later', 'Zoom out']) {
        await button(page, name).focus();
        await page.keyboard.press('Enter');
        ranges.push(await range.textContent());
      }
      expect(new Set(ranges).size).toBe(4);
      await expectAccessibleInAll(page);

      const [stretch] = ranges.slice(-1);
      await home.submit(id, 'ask', { answer: 'yes' });
      await page.getByRole('status').getByText('Completed').first().waitFor();
      expect(await range.textContent()).toBe(stretch);
      await page.keyboard.press('Escape');
      await row('Ask a person').waitFor();
      expect(await range.textContent()).toBe('');
      await page.keyboard.press('z');
      await row('Ask a person').waitFor({ state: 'detached' });
      await page.keyboard.press('z');
      await row('Ask a person').waitFor();
      await expectAccessibleInAll(page);
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );

  inBrowser('a stretch is marked with the pointer; a double click leads to a step, and back to the whole', async () => {
    const { page, complaints, row } = await openTimeline();
    const scale = page.locator('.timeline-scale');
    const drag = async (fromShare: number, toShare: number, end: () => Promise<void>) => {
      const box = await scale.boundingBox();
      if (box === null) throw new Error('There is no scale');
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * fromShare, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * toShare, y, { steps: 4 });
      await page.locator('.timeline-mark').waitFor();
      await end();
    };
    await drag(0.9, 1, () => page.keyboard.press('Escape'));
    await page.locator('.timeline-mark').waitFor({ state: 'detached' });
    await page.mouse.up();
    expect(await row('Fetch the rates').count()).toBe(1);
    await drag(1, 0.97, () => page.mouse.up());
    await row('Fetch the rates').waitFor({ state: 'detached' });
    await page.getByText(/Steps left out: [12] before it/).waitFor();
    await scale.dblclick();
    await row('Fetch the rates').waitFor();
    await row('Fetch the rates').dblclick();
    await row('Ask a person').waitFor({ state: 'detached' });
    await button(page, 'Fit').click();
    await row('Ask a person').waitFor();
    // A time has the same horizontal position in all rows, whatever their labels, also on a phone.
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const places: string[] =
        await page.evaluate(`[...document.querySelectorAll('.timeline-track, .timeline-scale')].map((track) => {
      const { left, width } = track.getBoundingClientRect();
      return [left, width].join(' ');
    })`);
      expect([width, places.length, new Set(places).size]).toEqual([width, 4, 1]);
    }
    expect(complaints).toEqual([]);
  });

  inBrowser('the timeline and its heading show how long an execution waited to start', async () => {
    const { page, complaints, row } = await openTimeline(
      (id) => stackDatabase().$executeRaw`
      UPDATE executions SET started_at = (SELECT min(started_at) FROM execution_steps WHERE execution_id = ${id}::uuid)
        - interval '100 seconds' WHERE id = ${id}::uuid`,
    );
    await page.getByText('Waited 1 m 40 s to start.').waitFor();
    await page.getByTitle('Idle for 1 m 40 s').waitFor();
    const [scale, bar] = await Promise.all([
      page.locator('.timeline-scale').boundingBox(),
      row('Fetch the rates').locator('.timeline-bar').first().boundingBox(),
    ]);
    expect(bar?.x).toBeGreaterThan((scale?.x ?? 0) + 0.02 * (scale?.width ?? 0));
    expect(complaints).toEqual([]);
  });
});

describe('long names', () => {
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

  inBrowser('no daily page scrolls sideways at 320 pixels (400 % of 1280)', async () => {
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

  inBrowser(
    'a node without a name is called as its steps are, wherever the page of its execution names it',
    async () => {
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
    },
  );
});
