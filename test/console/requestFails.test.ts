// test: long
import { expect } from '@jest/globals';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  logInThere,
  openConsole,
  type Person,
  watched,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { type FilledPage, fillConsole } from '../setup/browser/consolePages.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

interface Trouble {
  what: string;
  /** The answer until `over` resolves. */
  answer: (route: Route, over: Promise<void>) => Promise<void>;
  /** A button reloads the data; otherwise the page does. */
  byHand?: boolean;
  says: RegExp;
}

const refused = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '0' },
    body: JSON.stringify({ type: 'about:blank', title: 'Refused by the test', status, code, requestId: 'r-1' }),
  });

const UNREAD = 'Part of this page could not be loaded';
const BUSY = new RegExp(`The API cannot answer now|${UNREAD}`);

const TROUBLES: Trouble[] = [
  { what: '500', answer: refused(500, 'INTERNAL'), byHand: true, says: new RegExp(`That did not work|${UNREAD}`) },
  { what: '503', answer: refused(503, 'DATABASE_UNAVAILABLE'), says: BUSY },
  { what: '429', answer: refused(429, 'RATE_LIMITED'), byHand: true, says: BUSY },
  {
    what: 'late',
    answer: async (route, over) => {
      await over;
      await route.continue();
    },
    says: /The API is slow to respond/,
  },
  {
    what: 'a proxy',
    answer: (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    says: /The API does not answer/,
  },
];

/** Requests that every page makes. */
const OF_ALL = /^\/api\/(?:stream|auth\/|discovery\/|users\/me$)/;
const isData = (route: Route) => {
  const { pathname } = new URL(route.request().url());
  return route.request().method() === 'GET' && !OF_ALL.test(pathname);
};

/** Texts that must never be visible. */
const RAW = /<h1>|Bad gateway|undefined|PerdureProblem|\[object|not the API's/;

/** Presses all retry buttons at once, since a pressed one disappears. */
const PRESS_ALL = `for (const each of document.querySelectorAll('main button')) {
  if (each.textContent === 'Try again') each.click();
}`;

/** Returns the problems of the page while its data is unavailable and afterwards. */
async function wrongWith(context: BrowserContext, url: string, { path, shown }: FilledPage, trouble: Trouble) {
  const page = await context.newPage();
  const complaints = watched(page, url);
  const { after: over, goOn } = gate();
  let isOver = false;
  await page.route('**/api/**', (route) => (isOver || !isData(route) ? route.continue() : trouble.answer(route, over)));
  await page.goto(new URL(`/console${path}`, url).href);
  const main = page.getByRole('main');
  const wrong: string[] = [];
  await main
    .getByText(trouble.says)
    .first()
    .waitFor()
    .catch(async () => wrong.push(`says nothing of it: ${await main.textContent()}`));
  const text = await main.textContent();
  if (text !== null && RAW.test(text)) wrong.push(`raw: ${text}`);
  isOver = true;
  goOn();
  if (trouble.byHand === true) await page.evaluate(PRESS_ALL);
  await main
    .getByText(shown)
    .first()
    .waitFor()
    .catch(async () => wrong.push(`does not come: ${await main.textContent()}`));
  // A retry that was in flight when the button was pressed may report its error later.
  const isSaid = async () => {
    if (trouble.byHand === true) await page.evaluate(PRESS_ALL);
    return main.getByText(trouble.says).count();
  };
  await poll(isSaid)
    .toBe(0)
    .catch(async () => wrong.push(`still says it: ${await main.textContent()}`));
  wrong.push(...complaints);
  await page.close();
  return wrong.map((each) => `${trouble.what} at ${path}: ${each}`);
}

const SIDE_BY_SIDE = 6;

/** The short form tests each page once, with one kind of trouble per page, in turn. */
const chosen = <Of>(kinds: Of[], at: number) =>
  process.env.EVERY_PAGE === undefined ? kinds.slice(at % kinds.length, (at % kinds.length) + 1) : kinds;

async function filledAndIn(): Promise<{ page: Page; pages: FilledPage[]; owner: Person; url: string }> {
  const { home, owner } = await homeWithOwner();
  const { pages } = await fillConsole(home, stackDatabase());
  const { page } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  return { page, pages, owner, url: home.url };
}

inBrowser(
  'a page explains refused, rate-limited or late data, and shows them once they are available',
  async () => {
    const { page, pages, url } = await filledAndIn();
    const open = pages.flatMap((each, at) => chosen(TROUBLES, at).map((trouble) => ({ each, trouble })));
    const wrong: string[] = [];
    const lane = async () => {
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        wrong.push(...(await wrongWith(page.context(), url, next.each, next.trouble)));
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    expect(wrong).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('a part of a page that cannot be read and has no place to say so is named above the page', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/queues');
  let isOver = false;
  await page.route('**/api/pending-inputs**', (route) => (isOver ? route.continue() : refused(500, 'INTERNAL')(route)));
  await logInThere(page, owner);
  const said = page.getByRole('status').filter({ hasText: UNREAD });
  await said.waitFor();
  await page.getByRole('button', { name: 'New queue' }).first().waitFor();
  await expectAccessible(page);
  isOver = true;
  await said.getByRole('button', { name: 'Try again' }).click();
  await said.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser(
  'a session that ends leads to the login, and the login back to the same page',
  async () => {
    const { page, pages, owner, url } = await filledAndIn();
    let hasEnded = false;
    await page.route('**/api/**', (route) =>
      hasEnded && !route.request().url().endsWith('/api/auth/login')
        ? refused(401, 'UNAUTHENTICATED')(route)
        : route.continue(),
    );
    const looked = pages.filter((_, at) => process.env.EVERY_PAGE !== undefined || at % 9 === 4);
    for (const { path, shown } of looked) {
      // Otherwise the previous page, which still sends requests, would lose the session first.
      await page.goto('about:blank');
      hasEnded = true;
      await page.goto(new URL(`/console${path}`, url).href);
      await page.getByText('Your session has ended. Log in again.').waitFor();
      hasEnded = false;
      await logInThere(page, owner);
      await page.getByRole('main').getByText(shown).first().waitFor();
      expect(page.url()).toBe(new URL(`/console${path}`, url).href);
    }
  },
  ALL_VIEWS_MS,
);

inBrowser('a text and a file whose answers were lost can be sent again and create one document each', async () => {
  const { home, owner } = await homeWithOwner();
  const { body } = await home.api('POST', '/api/knowledge', {
    body: { name: 'Handbook', embeddingProvider: 'local' },
  });
  let isLossy = false;
  const network = await brokenNetwork(home.url, { losesAnswer: ({ method }) => isLossy && method !== 'GET' });
  const { page, complaints } = await openConsole(network.url, `/console/knowledge/${body.id}`);
  await logInThere(page, owner);
  await page.getByText('No documents yet.').waitFor();
  await page.getByRole('button', { name: 'Paste a text' }).click();
  await page.getByLabel('Name').fill('Parking');
  await page.getByRole('textbox', { name: 'Text' }).fill('Cars of visitors stand behind the house.');
  isLossy = true;
  await page.getByRole('button', { name: 'Store' }).click();
  const uploads = page.getByRole('status', { name: 'Uploads' });
  await uploads.getByText('What you wrote is kept. Try again in a moment.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(
    'Cars of visitors stand behind the house.',
  );
  isLossy = false;
  await page.getByRole('button', { name: 'Store' }).click();
  await page.getByRole('textbox', { name: 'Text' }).waitFor({ state: 'detached' });

  isLossy = true;
  const file = (name: string, text: string | Buffer) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('refunds.txt', 'Refunds are paid within five days.'),
      file('empty.txt', ' \n'),
      file('latin.txt', Buffer.from('Grüße', 'latin1')),
    ]);
  await uploads.getByText('The file has no text.').waitFor();
  await uploads.getByText('The file is not UTF-8 text.').waitFor();
  isLossy = false;
  await uploads.getByRole('button', { name: 'Retry refunds.txt' }).click();
  await page.getByRole('table', { name: 'Documents' }).getByRole('link', { name: 'refunds.txt' }).waitFor();
  await uploads.getByRole('button', { name: 'Retry refunds.txt' }).waitFor({ state: 'detached' });
  const { body: documents } = await home.api('GET', `/api/knowledge/${body.id}/documents`);
  expect(documents.map(({ name }: { name: string }) => name).sort()).toEqual(['Parking', 'refunds.txt']);
  expect(complaints).toEqual([]);
});

inBrowser('a successful save clears the error of the previous one', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({ slug: 'greet', name: 'Greet', managedByCode: false, nodes: [] });
  const { page } = await openConsole(home.url, `/console/workflows/${id}/edit`);
  await logInThere(page, owner);
  await page.getByRole('textbox', { name: 'Name' }).fill('Greet you');
  await page.route('**/workflows/*/draft', refused(500, 'INTERNAL'), { times: 1 });
  await page.keyboard.press('ControlOrMeta+s');
  const failure = page.getByText('That did not work');
  await failure.waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Draft saved.').waitFor();
  await failure.waitFor({ state: 'detached' });
});
