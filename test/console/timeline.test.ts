// test: long
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

/** One that fails twice, half a second apart; a second of nothing; a question that stays open. */
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
  'a bar shows attempts and waits, by more than colour; by keyboard one looks at a step, at what is beside it, and at the whole',
  async () => {
    const { home, id, page, complaints, row } = await openTimeline();
    const fetchRow = row('Fetch the rates');
    expect(await fetchRow.textContent()).toContain('3 attempts');
    expect(await kindsIn(fetchRow)).toEqual(['failed', 'between', 'failed', 'between', 'attempt']);
    expect(await kindsIn(row('Wait a little'))).toEqual(['waits']);
    expect(await kindsIn(row('Ask a person'))).toEqual(['waits']);
    await fetchRow.getByTitle(/^Attempt 1 failed: TEST_FAILURE, /).waitFor();
    await page.getByText('an attempt that failed').waitFor();
    await page.getByText('+0 s', { exact: true }).waitFor();

    await fetchRow.focus();
    await page.keyboard.press('Enter');
    await button(page, 'Zoom to the step').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^\+0 s to \+/).waitFor();
    await page.getByText(/Steps left out: [12] after it\./).waitFor();
    expect(await row('Ask a person').count()).toBe(0);
    // Nothing is earlier: the button stays, and so does the focus.
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

    // The execution goes on, the stretch stays.
    const [stretch] = ranges.slice(-1);
    await home.submit(id, 'ask', { answer: 'yes' });
    await page.getByRole('status').getByText('Completed').first().waitFor();
    expect(await range.textContent()).toBe(stretch);
    await page.keyboard.press('Escape');
    await row('Ask a person').waitFor();
    expect(await range.textContent()).toBe('');
    // As a key of the page, there and back.
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
  // Given up in the middle.
  await drag(0.9, 1, () => page.keyboard.press('Escape'));
  await page.locator('.timeline-mark').waitFor({ state: 'detached' });
  await page.mouse.up();
  expect(await row('Fetch the rates').count()).toBe(1);
  // From right to left, as well as the other way.
  await drag(1, 0.97, () => page.mouse.up());
  await row('Fetch the rates').waitFor({ state: 'detached' });
  await page.getByText(/Steps left out: [12] before it/).waitFor();
  await scale.dblclick();
  await row('Fetch the rates').waitFor();
  await row('Fetch the rates').dblclick();
  await row('Ask a person').waitFor({ state: 'detached' });
  await button(page, 'Whole').click();
  await row('Ask a person').waitFor();
  // A time stands in one place in all rows, however long their words are; on a phone, too.
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

inBrowser('the time in which an execution waited to start is in its timeline, and stands above it', async () => {
  const { page, complaints, row } = await openTimeline(
    (id) => stackDatabase().$executeRaw`
      UPDATE executions SET started_at = (SELECT min(started_at) FROM execution_steps WHERE execution_id = ${id}::uuid)
        - interval '100 seconds' WHERE id = ${id}::uuid`,
  );
  await page.getByText('Waited 1 m 40 s to start.').waitFor();
  await page.getByTitle('1 m 40 s in which nothing happened').waitFor();
  // The first bar begins behind the wait.
  const [scale, bar] = await Promise.all([
    page.locator('.timeline-scale').boundingBox(),
    row('Fetch the rates').locator('.timeline-bar').first().boundingBox(),
  ]);
  expect(bar?.x).toBeGreaterThan((scale?.x ?? 0) + 0.02 * (scale?.width ?? 0));
  expect(complaints).toEqual([]);
});
