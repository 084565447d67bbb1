// test: long
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
import { fillConsole } from '../setup/browser/consolePages.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const PHONE = { width: 390, height: 844 };

/** Of each list with filters, by which height its first row has begun: before, these were 527, 266, 245, 901, 600 and 415. */
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
  'on a phone the other filters stand behind a button that says how many are in force, by keyboard too',
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
    // The state stays in sight, where its line is longer than the screen, too.
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

    // A key of what stands behind the button brings it into sight.
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
