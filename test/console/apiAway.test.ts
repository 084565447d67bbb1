// test: long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { createDatabase } from '../../prisma/client.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  logInThere,
  openConsole,
  type Person,
  watched,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { type FilledConsole, type FilledPage, fillConsole, walked } from '../setup/browser/consolePages.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { startStack } from '../setup/stack/ownStack.ts';
import { homeOn, homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const AWAY = 'The API does not answer';
/** Retries back off to ten seconds. */
const BACK_MS = 60_000;

let shared: Promise<{ filled: FilledConsole; owner: Person }> | undefined;

/** Shared by the tests that kill nothing. */
async function filledWorkspace() {
  const { home, owner } = await homeWithOwner();
  return { filled: await fillConsole(home, stackDatabase()), owner };
}

/** Logs in to a filled workspace, through a network that can be cut. */
async function behindNetwork() {
  shared ??= filledWorkspace();
  const { filled, owner } = await shared;
  const { home } = filled;
  const network = await brokenNetwork(home.url);
  const { page } = await openConsole(network.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  return { filled, network, context: page.context() };
}

const BUYER = { slug: 'buyer', name: 'Buyer', instructions: 'Buy what is short.', model: 'm' };

/** Changes by others, each with the page and the text that show it. */
function changesOf({ home, page }: FilledConsole): { page: FilledPage; make: () => Promise<unknown>; seen: string }[] {
  const post = async (path: string, body: object) => {
    const { status } = await home.api('POST', path, { body });
    expect([path, status < 300]).toEqual([path, true]);
  };
  const queue = page('/queues/$queueId').path;
  const base = page('/knowledge/$knowledgeId').path;
  const refund = page('/workflows/$workflowId').path.split('/')[2] ?? '';
  const order = { objectTypeSlug: 'order', name: 'Order A-1050', attributes: { total: 7 } };
  const asks = async () => home.asked(await home.execute(refund, { order: 'A-1050', amount: 500 }), 'approve');
  const nothing = async () => undefined;
  return [
    { page: page('/'), make: asks, seen: 'Refund order A-1050?' },
    { page: page('/inbox'), make: nothing, seen: 'Refund order A-1050?' },
    { page: page('/executions'), make: nothing, seen: 'Show 1 new execution' },
    {
      page: page('/workflows'),
      make: () => home.deploy({ name: 'Count the stock', nodes: [] }),
      seen: 'Count the stock',
    },
    {
      page: page('/queues'),
      make: () => post(`/api${queue}/items`, { data: {}, externalId: 'return-9' }),
      seen: '5 pending, 1 failed',
    },
    { page: page('/queues/$queueId'), make: nothing, seen: 'return-9' },
    { page: page('/objects/$typeSlug'), make: () => post('/api/objects', order), seen: 'Order A-1050' },
    { page: page('/objects/$typeSlug', 'board'), make: nothing, seen: 'Order A-1050' },
    { page: page('/agents'), make: () => post(`/api/projects/${home.projectId}/agents/upsert`, BUYER), seen: 'Buyer' },
    { page: page('/knowledge'), make: () => post('/api/knowledge', { name: 'Manual' }), seen: 'Manual' },
    {
      page: page('/knowledge/$knowledgeId'),
      make: () => post(`/api${base}/saveUploadedText`, { name: 'Returns', text: 'Send it.' }),
      seen: 'Returns',
    },
    {
      page: page('/settings/variables'),
      make: () => post('/api/variables', { name: 'RATES', value: 1 }),
      seen: 'RATES',
    },
    {
      page: page('/settings/people'),
      make: () => post('/api/workspace/users', { email: 'alan@shop.example', role: 'builder' }),
      seen: 'alan@shop.example',
    },
    {
      page: page('/settings/keys'),
      make: () => post('/api/api-keys', { name: 'Desk', permissions: ['executions:read'] }),
      seen: 'Desk',
    },
    { page: page('/settings/audit'), make: nothing, seen: 'Agent Buyer' },
  ];
}

/** Waits until the text is visible or gone; names the page on failure. */
async function until({ each, page }: Tab, text: string, state: 'visible' | 'detached' = 'visible'): Promise<void> {
  const place = page.getByText(text).first();
  await place.waitFor({ state, timeout: BACK_MS }).catch(async (error: unknown) => {
    const shown = await page.getByRole('main').textContent();
    throw new Error(`${each.path}: ${text} is not ${state} in\n${shown}`, { cause: error });
  });
}

interface Tab {
  each: FilledPage;
  page: Page;
  complaints: string[];
}

async function opened(context: BrowserContext, url: string, pages: FilledPage[]): Promise<Tab[]> {
  const tabs = [];
  for (const each of pages) {
    const page = await context.newPage();
    const complaints = watched(page, url);
    await page.goto(new URL(`/console${each.path}`, url).href);
    await until({ each, page, complaints }, each.shown);
    await page.evaluate('window.sameDocument = true');
    tabs.push({ each, page, complaints });
  }
  return tabs;
}

/** Expects the banner and the previous content in each tab. */
async function expectAway(tabs: Tab[]): Promise<void> {
  for (const tab of tabs) {
    await until(tab, AWAY);
    const { each, page } = tab;
    expect([each.path, await page.getByText(each.shown).first().isVisible()]).toEqual([each.path, true]);
  }
}

async function expectBack(tabs: Tab[]): Promise<void> {
  for (const tab of tabs) {
    const { each, page, complaints } = tab;
    await until(tab, AWAY, 'detached');
    const isSame = await page.evaluate('window.sameDocument');
    expect([each.path, isSame, complaints]).toEqual([each.path, true, []]);
  }
}

function routesOfRouter(): string[] {
  const router = readFileSync(join(PROJECT_ROOT, 'console/app/router.tsx'), 'utf8');
  const found = router.matchAll(/(?:inFrame\(\s*|getParentRoute: \(\) => frame,\s+path: )'([^']+)',(?!\s+beforeLoad)/g);
  return [...found].map(([, path = '']) => path).sort();
}

inBrowser(
  'open pages survive kill -9 of the API',
  async () => {
    const stack = await startStack();
    onTestFinished(() => stack.dispose());
    const database = createDatabase(stack.databaseUrl, 2);
    const { pages } = await fillConsole(homeOn(stack), database).finally(() => database.close());
    expect([...new Set(pages.map(({ route }) => route))].sort()).toEqual(routesOfRouter());
    const { page } = await openConsole(stack.url, '/console/');
    const { email, password } = stack.credentials;
    await logInThere(page, { email, password: password ?? '' });
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const tabs = await opened(page.context(), stack.url, walked(pages));
    await stack.killMain();
    await expectAway(tabs);
    await stack.startAgain();
    await expectBack(tabs);
  },
  ALL_VIEWS_MS,
);

inBrowser(
  'each page shows changes from during an outage once the connection is back',
  async () => {
    const { filled, network, context } = await behindNetwork();
    const changes = changesOf(filled);
    const looked = walked(changes);
    const tabs = await opened(
      context,
      network.url,
      looked.map(({ page }) => page),
    );
    network.breakDown();
    network.cut();
    await expectAway(tabs);
    for (const { make } of changes) await make();
    network.mend();
    await expectBack(tabs);
    for (const [at, tab] of tabs.entries()) await until(tab, looked[at]?.seen ?? '');
  },
  ALL_VIEWS_MS,
);

inBrowser(
  'a page without data says so and shows them once the API is back',
  async () => {
    const { filled, network, context } = await behindNetwork();
    network.breakDown((url) => url.startsWith('/api/'));
    network.cut();
    const tabs = [];
    for (const each of walked(filled.pages)) {
      const page = await context.newPage();
      const complaints = watched(page, network.url);
      await page.goto(new URL(`/console${each.path}`, network.url).href);
      tabs.push({ each, page, complaints });
    }
    for (const tab of tabs) await until(tab, AWAY);
    network.mend();
    for (const tab of tabs) {
      const { each, complaints } = tab;
      await until(tab, each.shown);
      await until(tab, AWAY, 'detached');
      expect([each.path, complaints]).toEqual([each.path, []]);
    }
  },
  ALL_VIEWS_MS,
);

inBrowser(
  'pages and dialogs whose code is not loaded wait for the API and open without a reload',
  async () => {
    const { filled, network, context } = await behindNetwork();
    const [tab] = await opened(context, network.url, [filled.page('/executions')]);
    if (tab === undefined) throw new Error('no tab');
    const { page, complaints } = tab;
    network.breakDown();
    network.cut();
    await until(tab, AWAY);
    await page.keyboard.press('Control+k');
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByRole('main').getByText('Loading').waitFor({ state: 'attached' });
    network.mend();
    await page.getByRole('link', { name: 'Handbook' }).waitFor({ timeout: BACK_MS });
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
