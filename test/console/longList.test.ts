import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { olderExecutions } from '../setup/database/olderExecutions.ts';
import { question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

/** Long form: ROWS=10000, which prints the longest task of scrolling from the first row to the last. */
const ROWS = Number(process.env.ROWS ?? 400);
const PAGE = 50;
const MAX_DRAWN = 120;

/** In the page: `longest` is the longest task so far, in milliseconds; 0 where none took 50. */
const WATCH_TASKS = `window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask' });`;

/** A screen a frame, to where the page ends. */
const SCROLL_THROUGH = `new Promise((done) => {
  const step = () => {
    const before = window.scrollY;
    window.scrollBy(0, window.innerHeight);
    requestAnimationFrame(() => (window.scrollY === before ? done() : step()));
  };
  step();
})`;

inBrowser(
  'of a long list the rows in sight are drawn, and a row changes in place',
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
