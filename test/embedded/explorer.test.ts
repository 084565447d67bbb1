// test: long
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { inBrowser, launchChromium, NO_CHROMIUM } from '../setup/browser/chromium.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let browser: Browser;
let own: OwnApi;

beforeAll(async () => {
  if (NO_CHROMIUM === undefined) [own, browser] = await Promise.all([startOwnApi(), launchChromium()]);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await own?.dispose();
});

/** Opens a page and collects script errors, policy violations, failed requests, and requests to other hosts. */
async function openPage(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('requestfailed', (request) => complaints.push(`request: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(new URL('/', own.url).href) || request.url().startsWith('data:');
    if (!isOwn) complaints.push(`elsewhere: ${request.url()}`);
  });
  await page.goto(new URL(path, own.url).href, { waitUntil: 'networkidle' });
  return { page, complaints };
}

/** Reads the displayed operation ids in one step, because the page may redraw meanwhile. */
const SHOWN = `[...document.querySelectorAll('.opblock')].map(({ id }) => id)`;

/** Scrolls half a page down; false at the end. Waits two frames, because the list measures its rows and draws again. */
const GO_DOWN = `(async () => {
  const before = window.scrollY;
  window.scrollBy(0, window.innerHeight / 2);
  for (let frame = 0; frame < 2; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
  return window.scrollY > before;
})()`;

/** Scrolls until the element is drawn: the explorer draws only visible rows. Fails at the end of the page. */
async function reveal(page: Page, selector: string): Promise<void> {
  for (;;) {
    if ((await page.locator(selector).count()) > 0) return;
    const isLower = await page.evaluate(GO_DOWN);
    if (!isLower) throw new Error(`${selector} is nowhere on the page`);
  }
}

inBrowser('the API explorer shows every tag, and nothing of it is refused or fetched elsewhere', async () => {
  const { page, complaints } = await openPage('/docs');
  await page.getByText('Perdure', { exact: false }).first().waitFor();
  const served = (await (await fetch(new URL('/openapi.json', own.url))).json()) as { tags: { name: string }[] };
  expect(served.tags.length).toBeGreaterThan(10);
  for (const { name } of served.tags) await reveal(page, `.opblock-tag[data-tag="${name}"]`);
  expect(await page.locator('.opblock').count()).toBe(0);
  const shown = page.locator('.opblock-tag');
  expect(await shown.first().getAttribute('data-tag')).toBe('Workflows');
  expect(complaints).toEqual([]);
});

inBrowser('its filter finds operations by path, id, summary and tag, and opens what it found', async () => {
  const { page, complaints } = await openPage('/docs');
  const found = async (phrase: string) => {
    await page.locator('.operation-filter-input').fill(phrase);
    return poll(() => page.evaluate<string[]>(SHOWN));
  };
  await (await found('retryExecution')).toContain('operations-Executions-retryExecution');
  await (await found('/claim')).toEqual(['operations-Queue_items-claimQueueItems']);
  await (await found('post projects')).toContain('operations-Projects-createProject');
  await (await found('postWebhook')).toEqual([
    'operations-Webhooks-postWebhook',
    'operations-Webhooks-postWebhookByPut',
  ]);
  await page.locator('.operation-filter-input').fill('nothing has this');
  await page.locator('.opblock').first().waitFor({ state: 'detached' });
  expect(await page.locator('.opblock-tag').count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('an operation is tried out in it with an API key, and its lists are sent as the API takes them', async () => {
  const { page, complaints } = await openPage('/docs');
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog
    .getByLabel(/apiKey|Value/)
    .first()
    .fill(own.apiKey);
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.locator('.operation-filter-input').fill('listProjects');
  const operation = page.locator('#operations-Projects-listProjects');
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.locator('tr[data-param-name="expansion"] select').selectOption(['description', 'workflows']);
  const asked = page.waitForResponse((response) => response.url().includes('/api/projects'));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = await asked;
  expect(answer.status()).toBe(200);
  expect(new URL(answer.url()).search).toBe('?expansion=description,workflows&limit=100');
  await operation.locator('.live-responses-table').waitFor();
  expect(await operation.locator('.live-responses-table').textContent()).toContain('"workflows"');
  expect(complaints).toEqual([]);
});

inBrowser('the page of problems is shown without a complaint', async () => {
  const { page, complaints } = await openPage('/docs/problems#CONFLICT');
  expect(await page.locator('tr:target').textContent()).toContain('CONFLICT');
  expect(complaints).toEqual([]);
});
