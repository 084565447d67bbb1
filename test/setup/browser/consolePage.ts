import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from '../jest/onTestFinished.ts';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';

let browser: Browser | undefined;

/** Starts one browser with these switches for the tests of a file; each page has separate storage. */
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
  /** Time zone such as `Asia/Kolkata`; default: the machine's. */
  zone?: string;
  onRequest?: (url: string) => void;
}

/** Opens a page of the console at this API; it is closed when the test has ended. */
export async function openConsole(
  api: string,
  path: string,
  { scheme = 'light', width = 1280, zone, onRequest }: ConsoleView = {},
): Promise<ConsolePage> {
  if (browser === undefined) throw new Error('withBrowser() starts the browser of a file');
  const context = await browser.newContext({
    colorScheme: scheme,
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
    ...(zone === undefined ? {} : { timezoneId: zone }),
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = watched(page, api, onRequest);
  await page.goto(new URL(path, api).href);
  return { page, complaints };
}

/** Returns a list that collects script errors, violations of the page's policy, and requests to other hosts. */
export function watched(page: Page, api: string, onRequest?: (url: string) => void): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // The test itself checks rejected requests.
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

export async function logInThere(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Expects no violation of WCAG 2.2 AA that axe can detect. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Half the cost of a check, and all rules whose result the colour scheme can change. */
const RULES_OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Loads axe once per document, unlike its Playwright package, which also opens a second page for the result. */
async function violationsOf(page: Page, runOnly: object = RULES): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // Omit the lists of passed rules, which are longer than the page.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** Each page is checked in several views; the long forms check every page in every view. */
export const ALL_VIEWS_MS =
  process.env.EVERY_PAGE === undefined && process.env.EVERY_VIEW === undefined ? 300_000 : 1_200_000;

type View = [scheme: 'light' | 'dark', width: number, rules: object];

/** Each scheme and each width once. */
const VIEWS: View[] = [
  ['dark', 390, RULES],
  ['light', 1280, RULES],
];
/** EVERY_VIEW adds the other combinations, only for colours: VIEWS has already checked the document and its layout. */
const OTHER_VIEWS: View[] = [
  ['dark', 1280, RULES_OF_COLOURS],
  ['light', 390, RULES_OF_COLOURS],
];
const LOOKED_AT = process.env.EVERY_VIEW === undefined ? VIEWS : [...VIEWS, ...OTHER_VIEWS];

/** Waits by frame until all animations have ended: Chromium does not settle each promise of an animation's end. */
const DRAWN = `new Promise((drawn) => {
  const isMoving = () => document.getAnimations().some(({ effect, playState }) =>
    playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
  const look = () => (isMoving() ? requestAnimationFrame(look) : drawn());
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/** Checks both colour schemes, wide and narrow, without reloading the page. */
export async function expectAccessibleInAll(page: Page): Promise<void> {
  const found: string[] = [];
  for (const [colorScheme, width, rules] of LOOKED_AT) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(DRAWN);
    found.push(...(await violationsOf(page, rules)).map((each) => `${colorScheme}, ${width} wide: ${each}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(found).toEqual([]);
}
