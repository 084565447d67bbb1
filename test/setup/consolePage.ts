import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { onTestFinished } from './onTestFinished.ts';

let browser: Browser | undefined;

/** One browser for the tests of a file, with these switches; each page has storage of its own. */
export function withBrowser(...switches: string[]): void {
  beforeAll(async () => {
    if (NO_CHROMIUM === undefined) browser = await launchChromium(switches);
  }, 300_000);
  afterAll(() => browser?.close());
}

export interface ConsolePage {
  page: Page;
  /** Script errors, violations of the page's policy, and requests to other hosts, so far. */
  complaints: string[];
}

export interface ConsoleView {
  scheme?: 'light' | 'dark';
  width?: number;
  /** Called with the address of each request. */
  onRequest?: (url: string) => void;
}

/** A page of the console at this API; closed when the test has ended. */
export async function openConsole(
  api: string,
  path: string,
  { scheme = 'light', width = 1280, onRequest }: ConsoleView = {},
): Promise<ConsolePage> {
  if (browser === undefined) throw new Error('withBrowser() starts the browser of a file');
  const context = await browser.newContext({
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = watched(page, api, onRequest);
  await page.goto(new URL(path, api).href);
  return { page, complaints };
}

/** Fills with script errors, violations of the page's policy, and requests to other hosts. */
export function watched(page: Page, api: string, onRequest?: (url: string) => void): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is the test's own matter.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`);
    }
  });
  const own = new URL('/', api).href;
  page.on('request', (request) => {
    onRequest?.(request.url());
    const isOwn = [own, 'data:', 'blob:'].some((begin) => request.url().startsWith(begin));
    if (!isOwn) complaints.push(`elsewhere: ${request.url()}`);
  });
  return complaints;
}

export interface Person {
  email: string;
  password: string;
}

/** Logs in as people do. */
export async function logInThere(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Nothing that WCAG 2.2 AA forbids, as far as a program finds it. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Without the lists of all that is well, which are longer than the page.
  resultTypes: ['violations'],
};

/** axe is loaded once a document: its package for Playwright does so for each look, and opens a second page for the result. */
async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${JSON.stringify(RULES)}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

const WIDTHS = [1280, 390];

/** What stands there is looked at four times. */
export const ALL_VIEWS_MS = 300_000;

/** The same in both colour schemes, wide and narrow: the page that stands there takes each, without being loaded again. */
export async function expectAccessibleInAll(page: Page): Promise<void> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      found.push(...(await violationsOf(page)).map((each) => `${colorScheme}, ${width} wide: ${each}`));
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(found).toEqual([]);
}
