// test: long
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { fillConsole } from '../setup/browser/consolePages.ts';
import { olderExecutions } from '../setup/database/olderExecutions.ts';
import { action, control, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

describe('rows', () => {
  inBrowser(
    'rows of executions say what is asked, whatever else is asked, and which attempt is next and when',
    async () => {
      const { home, owner } = await homeWithOwner();
      const asked = async (title: string) => {
        const id = await home.execute(await home.deploy({ name: 'Expense', nodes: [question('ask', { title })] }));
        await home.asked(id, 'ask');
        return id;
      };
      const ada = await asked('Ada asks for 42.50');
      await asked('Bob asks for 7.10');
      // More questions than the list holds, and all of them older.
      await stackDatabase().$executeRaw`
    INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, iteration, label, fields, title, submissions, requested_at)
    SELECT gen_random_uuid(), p.execution_id, p.workspace_id, p.node_id, 'each:' || i, p.label, p.fields, p.title, p.submissions,
      p.requested_at - interval '1 hour'
    FROM pending_inputs p, generate_series(1, 250) i WHERE p.execution_id = ${ada}::uuid`;
      const retry = { maximumAttempts: 5, initialIntervalMs: 7_200_000 };
      const failing = action(
        'fetch',
        'testing.fail',
        { times: 4, message: 'None is left' },
        { name: 'Fetch the order', retry },
      );
      const retrying = await home.execute(await home.deploy({ name: 'Orders', nodes: [failing] }));
      await home.until(retrying, ({ executionPath }) => executionPath?.[0]?.status === 'RETRYING');

      const { page, complaints } = await openConsole(home.url, '/console/executions');
      await logInThere(page, owner);
      const table = page.getByRole('table', { name: 'Executions' });
      const row = (number: number) =>
        table.getByRole('row').filter({ has: page.getByRole('link', { name: `#${number}` }) });
      await row(1).getByText('“Ada asks for 42.50”').waitFor();
      await row(2).getByText('“Bob asks for 7.10”').waitFor();
      const next = row(3).getByText(/“Fetch the order”: attempt 2 in \d+ (hr|min)\. TEST_FAILURE/);
      await next.waitFor();
      expect(await row(3).getByTitle('None is left').count()).toBe(1);
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await next.waitFor();
      await row(2).getByText('“Bob asks for 7.10”').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  inBrowser(
    'a queue says how old its oldest item is and what it starts, and a workflow by whom it is used',
    async () => {
      const { home, owner } = await homeWithOwner();
      const body = { name: 'Refunds', isActive: false };
      const { id: queueId } = (await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body })).body;
      const { id } = (await home.api('POST', `/api/queues/${queueId}/items`, { body: { data: {} } })).body;
      await stackDatabase().$executeRaw`
    UPDATE queue_items SET created_at = now() - interval '50 hours' WHERE id = ${id}::uuid`;
      const nodes = [action('a', 'core.set', { values: { a: 1 } })];
      const trigger = { id: 'trigger', type: 'queue', config: { queueId } } as never;
      const refund = await home.deploy({ name: 'Refund', trigger, nodes, isActive: false });
      await home.deploy({ name: 'Close the month', nodes: [control('r', 'runWorkflow', { workflowId: refund })] });
      const { page, complaints } = await openConsole(home.url, '/console/queues');
      await logInThere(page, owner);
      const row = page.getByRole('row', { name: /Refunds/ });
      await row.getByText('2 days ago').waitFor();
      await row.getByText('Refund (not active)').waitFor();
      await expectAccessible(page);
      await row.getByRole('link', { name: 'Refund', exact: true }).click();
      await page.getByRole('heading', { name: 'Refund' }).waitFor();
      await page.getByText('Used by').waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Close the month' }).click();
      await page.getByRole('heading', { name: 'Close the month' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe('long lists', () => {
  /** Long form: ROWS=10000 prints the longest task while scrolling through all rows. */
  const ROWS = Number(process.env.ROWS ?? 400);
  const PAGE = 50;
  const MAX_DRAWN = 120;

  /** Runs in the page: `longest` is the longest task so far, in milliseconds; 0 if none took 50. */
  const WATCH_TASKS = `window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' });`;

  /** Scrolls one screen per frame to the end of the page. */
  const SCROLL_THROUGH = `new Promise((done) => {
  const step = () => {
    const before = window.scrollY;
    window.scrollBy(0, window.innerHeight);
    requestAnimationFrame(() => (window.scrollY === before ? done() : step()));
  };
  step();
})`;

  inBrowser(
    'draws only the visible rows of a long list, and updates a row in place',
    async () => {
      const { home, owner } = await homeWithOwner();
      const asking = await home.execute(await home.deploy({ nodes: [question('ask')], slug: 'ask', name: 'Ask' }));
      await home.asked(asking, 'ask');
      await olderExecutions(asking, ROWS - 1);
      const { page, complaints } = await openConsole(home.url, '/console/executions');
      await logInThere(page, owner);
      const table = page.getByRole('table', { name: 'Executions' });
      const drawn = () => table.locator('tbody tr[data-index]').count();
      const more = page.getByRole('button', { name: 'Show more' });
      for (let shown = PAGE; shown < ROWS; shown += PAGE) await more.click();
      await page.locator(`[aria-rowcount="${ROWS + 1}"]`).waitFor();
      await page.evaluate(WATCH_TASKS);
      await page.evaluate(SCROLL_THROUGH);
      await table.getByRole('row', { name: `Older ${ROWS - 1} ` }).waitFor();
      expect(await drawn()).toBeLessThan(MAX_DRAWN);
      if (process.env.ROWS) {
        const longest = Number(await page.evaluate('window.longest'));
        console.info(`${ROWS} rows: longest task ${Math.round(longest)} ms (0: none above 50 ms)`);
      }
      await page.evaluate('window.scrollTo(0, 0)');
      const first = table.locator('tr[data-index="0"]');
      await first.getByText('Needs input').waitFor();
      await home.api('POST', `/api/executions/${asking}/cancel`, {});
      await first.getByText('Cancelled').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Read again' }).click();
      await table.locator('tr').nth(PAGE).waitFor();
      await page.locator('[aria-rowcount]').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
    600_000,
  );
});

describe('filters on a phone', () => {
  const PHONE = { width: 390, height: 844 };

  /** Maximum offset of the first row, in pixels, per list with filters. Before: 527, 266, 245, 901, 600 and 415. */
  const LISTS = [
    ['/executions', 380],
    ['/workflows', 230],
    ['/queues', 230],
    ['/queues/$queueId', 680],
    ['/objects/$typeSlug', 330],
    ['/settings/audit', 230],
  ] as const;

  const isWithin = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

  inBrowser(
    'on a phone the rows of a list begin below one line of filters, and nothing is scrolled sideways',
    async () => {
      const { home, owner } = await homeWithOwner();
      const filled = await fillConsole(home, stackDatabase());
      const { page, complaints } = await openConsole(home.url, '/console/executions', { width: PHONE.width });
      await page.setViewportSize(PHONE);
      await logInThere(page, owner);
      await page.getByRole('heading', { name: 'Executions' }).waitFor();
      const begins: [string, true | number, unknown][] = [];
      for (const [route, most] of LISTS) {
        await page.goto(new URL(`/console${filled.page(route).path}`, home.url).href);
        const row = page.locator('main tbody tr:not(.gap)').first();
        await row.waitFor();
        const y = (await row.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
        begins.push([route, y <= most || y, await isWithin(page)]);
      }
      expect(begins).toEqual(LISTS.map(([route]) => [route, true, true]));
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );

  inBrowser(
    'on a phone a button shows the number of active filters and opens them, by keyboard, too',
    async () => {
      const { home, owner } = await homeWithOwner();
      await home.run({ nodes: [] });
      const { page, complaints } = await openConsole(home.url, '/console/executions?status=CANCELLED&held=true');
      await logInThere(page, owner);
      const filters = page.getByRole('search', { name: 'Filters' });
      await filters.getByRole('checkbox', { name: 'Held' }).waitFor();
      const button = filters.getByRole('button', { name: /^Filters/ });
      expect(await button.count()).toBe(0);

      await page.setViewportSize(PHONE);
      await filters.getByRole('button', { name: 'Filters · 1 in force', exact: true }).waitFor();
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      const held = filters.getByRole('checkbox', { name: 'Held' });
      expect(await held.isVisible()).toBe(false);
      // The selected state stays visible, even if its row is wider than the screen.
      await page.getByRole('button', { name: 'Cancelled', pressed: true }).waitFor();

      await filters.getByRole('textbox', { name: 'Find' }).focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await held.waitFor();
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      await filters.getByRole('combobox', { name: 'Started' }).selectOption('24h');
      await filters.getByRole('button', { name: 'Filters · 2 in force', exact: true }).waitFor();
      await expectAccessibleInAll(page);
      await page.setViewportSize(PHONE);
      await filters.getByRole('button', { name: 'Clear filters' }).click();
      await filters.getByRole('button', { name: 'Filters', exact: true }).waitFor();

      // A shortcut for a hidden control shows it.
      await button.click();
      await held.waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: 'Executions' }).click();
      await page.keyboard.press('v');
      await page.getByRole('menuitem', { name: /Save these filters/ }).waitFor();
      expect(await held.isVisible()).toBe(true);
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );
});
