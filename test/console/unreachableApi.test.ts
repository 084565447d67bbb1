// test: long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { entitiesSeen } from '../setup/browser/orderTypes.ts';
import { gate } from '../setup/jest/gate.ts';
import { startOAuthProvider } from '../setup/providers/oauthProvider.ts';
import { question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('the API goes away while a page is open', () => {
  const MAX_KB = 270;

  inBrowser(
    'an API that goes away leaves the page as it was, with a banner, and comes back without a reload',
    async () => {
      const { home, owner } = await homeWithOwner();
      const fields = [{ key: 'yes', label: 'Yes', type: 'boolean', required: false }];
      const workflowId = await home.deploy({ nodes: [question('ask', { fields, submitters: 'members' })] });
      const executionId = await home.execute(workflowId);
      await home.asked(executionId, 'ask');
      const network = await brokenNetwork(home.url);
      const { page } = await openConsole(network.url, '/console/executions');
      await logInThere(page, owner);
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '#1' }) });
      await row.getByText('Needs input').waitFor();
      network.breakDown();
      network.cut();
      await page.getByText('The API does not answer').waitFor();
      await row.getByText('Needs input').waitFor();
      await home.submit(executionId, 'ask', {}, undefined, await home.person());
      await home.ended(executionId);
      await page.evaluate('window.sameDocument = true');
      network.mend();
      // Retries back off to ten seconds.
      await row.getByText('Completed').waitFor({ timeout: 60_000 });
      await page.getByText('The API does not answer').waitFor({ state: 'detached' });
      expect(await page.evaluate('window.sameDocument')).toBe(true);
    },
  );

  inBrowser('new executions wait until they are asked for, and those that are shown change in place', async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({ nodes: [] });
    await home.ended(await home.execute(workflowId));
    const { page, complaints } = await openConsole(home.url, '/console/executions');
    await logInThere(page, owner);
    const links = page.getByRole('table', { name: 'Executions' }).getByRole('link');
    await links.first().waitFor();
    for (let at = 0; at < 2; at += 1) await home.ended(await home.execute(workflowId));
    await page.getByRole('button', { name: 'Show 2 new executions' }).waitFor();
    expect(await links.allTextContents()).toEqual(['#1']);
    await page.getByRole('button', { name: 'Show 2 new executions' }).click();
    await links.nth(2).waitFor();
    expect(await links.allTextContents()).toEqual(['#3', '#2', '#1']);
    expect(complaints).toEqual([]);
  });

  inBrowser('twelve tabs share one stream, which another takes over when its tab is closed', async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({ nodes: [] });
    await home.ended(await home.execute(workflowId));
    const { page } = await openConsole(home.url, '/console/executions');
    await logInThere(page, owner);
    const others = [];
    for (let at = 1; at < 12; at += 1) others.push(await page.context().newPage());
    let streams = 0;
    for (const other of others) {
      other.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/stream') streams += 1;
      });
      await other.goto(page.url());
      await other.getByRole('link', { name: '#1' }).waitFor();
    }
    await home.ended(await home.execute(workflowId));
    const fresh = (count: number) => `Show ${count} new execution${count === 1 ? '' : 's'}`;
    await Promise.all([page, ...others].map((each) => each.getByRole('button', { name: fresh(1) }).waitFor()));
    expect(streams).toBe(0);
    await page.close();
    await home.ended(await home.execute(workflowId));
    await Promise.all(others.map((each) => each.getByRole('button', { name: fresh(2) }).waitFor()));
    expect(streams).toBe(1);
  });

  inBrowser(`the first page weighs at most ${MAX_KB} kB`, async () => {
    const { home, owner } = await homeWithOwner();
    const asked = new Set<string>();
    const { page } = await openConsole(home.url, '/console/login', {
      onRequest: (url) => asked.add(new URL(url).pathname),
    });
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const files = [...asked].filter((path) => path.startsWith('/console/assets/'));
    const sizes = files.map((path) => {
      const file = join(PROJECT_ROOT, 'dist', path);
      try {
        return readFileSync(`${file}.gz`).length;
      } catch {
        return readFileSync(file).length;
      }
    });
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1_000).toBeLessThan(MAX_KB);
  });
});

describe('the API goes away under a form', () => {
  interface Form {
    what: string;
    path: string;
    opener: string;
    more?: (dialog: Locator) => Promise<void>;
    fields: [label: string, text: string][];
    submit: string;
    made: (home: Home) => Promise<number>;
  }

  const count = (path: string) => async (home: Home) => ((await home.api('GET', path)).body as unknown[]).length;

  const FORMS: Form[] = [
    {
      what: 'a queue',
      path: '/queues',
      opener: 'New queue',
      fields: [['Name', 'Returns']],
      submit: 'Create',
      made: count('/api/queues'),
    },
    {
      what: 'a variable',
      path: '/settings/variables',
      opener: 'Add a variable',
      more: (dialog) => dialog.getByLabel('Secret: the value cannot be read').check(),
      fields: [
        ['Name', 'RATES'],
        ['New value', '5'],
      ],
      submit: 'Save',
      made: count('/api/variables'),
    },
    {
      what: 'an invitation',
      path: '/settings/people',
      opener: 'Invite a person',
      fields: [['E-mail', 'grace@shop.example']],
      submit: 'Invite',
      made: async (home) => (await count('/api/workspace/users')(home)) - 1,
    },
    {
      what: 'an API key',
      path: '/settings/keys',
      opener: 'Create a key',
      more: (dialog) => dialog.getByRole('button', { name: 'All read permissions' }).click(),
      fields: [['Name', 'Warehouse']],
      submit: 'Create',
      made: async (home) => (await count('/api/api-keys')(home)) - 1,
    },
    {
      what: 'a knowledge base',
      path: '/knowledge',
      opener: 'New knowledge base',
      fields: [['Name', 'Handbook']],
      submit: 'Create',
      made: count('/api/knowledge'),
    },
  ];

  async function fillIn(page: Page, { opener, fields, more }: Form): Promise<void> {
    await page.getByRole('button', { name: opener }).first().click();
    const dialog = page.getByRole('dialog');
    await more?.(dialog);
    for (const [label, text] of fields) await dialog.getByLabel(label).first().fill(text);
  }

  inBrowser(
    'a form whose answer is lost keeps what was typed and says what to do, and sent again makes one thing',
    async () => {
      const { home, owner } = await homeWithOwner();
      let isLossy = false;
      const network = await brokenNetwork(home.url, { losesAnswer: ({ method }) => isLossy && method !== 'GET' });
      const { page, complaints } = await openConsole(network.url, '/console/settings/account');
      await logInThere(page, owner);
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      for (const form of FORMS) {
        await page.goto(new URL(`/console${form.path}`, network.url).href);
        await fillIn(page, form);
        const dialog = page.getByRole('dialog');
        isLossy = true;
        await dialog.getByRole('button', { name: form.submit, exact: true }).click();
        await dialog.getByText('What you wrote is kept. Try again in a moment.').waitFor();
        for (const [label, text] of form.fields) {
          expect([form.what, await dialog.getByLabel(label).first().inputValue()]).toEqual([form.what, text]);
        }
        isLossy = false;
        await dialog.getByRole('button', { name: form.submit, exact: true }).click();
        await dialog.getByText('What you wrote is kept. Try again in a moment.').waitFor({ state: 'detached' });
        await dialog.getByRole('alert').waitFor({ state: 'detached' });
        await dialog.getByRole('button', { name: form.submit, exact: true }).waitFor({ state: 'detached' });
        expect([form.what, await form.made(home)]).toEqual([form.what, 1]);
      }
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );
});

describe('the API goes away during an import', () => {
  inBrowser('an unanswered import continues unchanged and writes no row twice', async () => {
    const { home, page, complaints, dialog } = await entitiesSeen('/order');
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog.getByLabel('Or paste it').fill('name,total\nOrder 1,5\nOrder 2,6\n');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('2 new, 0 changed, 0 with problems').waitFor();
    await page.route('**/api/objects/import', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('The result is unknown.').waitFor();
    await page.unroute('**/api/objects/import');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 entities were written.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect((await home.api('GET', '/api/objects?objectTypeSlug=order')).body.pagination.total).toBe(2);
    expect(complaints).toEqual([]);
  });

  inBrowser('an import that nobody answered, begun once more in a dialog of its own, writes no row twice', async () => {
    const { home, page, complaints, dialog } = await entitiesSeen('/order');
    const check = async () => {
      await page.getByRole('button', { name: 'Import' }).click();
      await dialog.getByLabel('Or paste it').fill('name,total\nOrder 1,5\nOrder 2,6\n');
      await dialog.getByRole('button', { name: 'Check' }).click();
      await dialog.getByText('2 new, 0 changed, 0 with problems').waitFor();
    };
    await check();
    await page.route('**/api/objects/import', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('The result is unknown.').waitFor();
    await page.unroute('**/api/objects/import');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await check();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 entities were written.').waitFor();
    expect((await home.api('GET', '/api/objects?objectTypeSlug=order')).body.pagination.total).toBe(2);
    expect(complaints).toEqual([]);
  });
});

describe('the API goes away on the pages of settings', () => {
  async function ownerAt(path: string, prepare: (home: Home) => Promise<unknown> = async () => undefined) {
    const { home, owner } = await homeWithOwner();
    await prepare(home);
    const { page, complaints } = await openConsole(home.url, `/console/settings/${path}`);
    await logInThere(page, owner);
    return { home, page, complaints, dialog: page.getByRole('dialog') };
  }

  async function menuOf(page: Page, name: string, item: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  inBrowser('a key that ends, whose making nobody answered, is made once and shown', async () => {
    const { home, page, complaints, dialog } = await ownerAt('keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByLabel('Name').fill('Of the shop');
    await dialog.getByRole('button', { name: 'All read permissions' }).click();
    await dialog.getByLabel('Ends').selectOption('30');
    await page.route('**/api/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('What you wrote is kept.').waitFor();
    await page.unroute('**/api/api-keys');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await dialog.getByLabel('Key', { exact: true }).inputValue();
    const keys: { name: string; prefix: string }[] = (await home.api('GET', '/api/api-keys')).body;
    const made = keys.filter(({ name }) => name === 'Of the shop');
    expect(made).toHaveLength(1);
    expect(secret.startsWith(made[0]?.prefix ?? '-')).toBe(true);
    expect(complaints).toEqual([]);
  });

  inBrowser(
    'a variable that is read slowly before it is changed has its dialog at once, which can be left',
    async () => {
      const { page, complaints, dialog } = await ownerAt('variables', (home) =>
        home.api('POST', '/api/variables', { body: { name: 'SHOP_URL', value: 'https://shop.example' } }),
      );
      const { after, goOn } = gate();
      await page.route('**/api/variables/*', async (route) => {
        await after;
        await route.continue();
      });
      await menuOf(page, 'SHOP_URL', 'Edit');
      await page.getByRole('dialog', { name: 'Change SHOP_URL' }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await menuOf(page, 'SHOP_URL', 'Edit');
      await dialog.waitFor();
      goOn();
      await dialog.getByLabel('Value', { exact: true }).waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe('SHOP_URL');
      expect(complaints).toEqual([]);
    },
  );

  inBrowser('while an app looks at credentials the page says so, and a slip does not lose its answer', async () => {
    const { page, complaints, dialog } = await ownerAt('connections');
    let held = gate();
    const hold = async (route: { continue: () => Promise<void> }) => {
      await held.after;
      await route.continue();
    };
    await page.route('**/api/workflow-apps/http/connections/*/connect', hold);
    await page.route('**/api/connections/*/test', hold);
    await page.getByRole('button', { name: 'Connect an app' }).click();
    await dialog.getByLabel('App', { exact: true }).selectOption({ label: 'HTTP' });
    await dialog.getByRole('textbox', { name: 'API key' }).fill('key-of-the-shop');
    await dialog.getByLabel('Hosts').fill('https://not a host/');
    const sent = page.waitForRequest('**/connect');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await sent;
    await page.keyboard.press('Escape');
    held.goOn();
    await dialog.locator('.mantine-InputWrapper-error', { hasText: 'host' }).waitFor();
    await dialog.getByLabel('Hosts').fill('shop.example');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    held = gate();
    await menuOf(page, 'API key', 'Test');
    await page.getByText('Testing API key…').waitFor();
    held.goOn();
    await page.getByText('API key works.').waitFor();
    await page.getByText('Testing API key…').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  inBrowser('to renew a client that acts for itself is to give it new credentials', async () => {
    const { page, complaints, dialog } = await ownerAt('connections', async (home) => {
      const { credentials } = await startOAuthProvider({
        redirectUri: new URL('/api/connections/oauth2/callback', home.url).href,
      });
      const { authorizationUrl: _, ...own } = credentials;
      const body = { name: 'Bank', credentials: { ...own, grant: 'clientCredentials' } };
      const made = await home.api('POST', '/api/workflow-apps/http/connections/oauth2/connect', { body });
      expect(made.body).toMatchObject({ status: 'connected' });
    });
    await menuOf(page, 'Bank', 'Renew');
    await page.getByText('This client authorizes itself').waitFor();
    await dialog.getByRole('textbox', { name: 'Client secret' }).waitFor();
    expect(complaints).toEqual([]);
  });

  inBrowser('a row that somebody else has deleted meanwhile leaves the list once an act on it says so', async () => {
    const { home, page, complaints, dialog } = await ownerAt('keys', (home) =>
      home.api('POST', '/api/api-keys', { body: { name: 'Of the shop', permissions: ['workflows:read'] } }),
    );
    await menuOf(page, 'Of the shop', 'Revoke');
    const keys: { id: string; name: string }[] = (await home.api('GET', '/api/api-keys')).body;
    await home.api('DELETE', `/api/api-keys/${keys.find(({ name }) => name === 'Of the shop')?.id}`);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('does not exist').waitFor();
    await page.locator('tr', { hasText: 'Of the shop' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    expect(complaints).toEqual([]);
  });

  inBrowser('a change whose answer was lost is saved when it is sent again, and is nobody else’s', async () => {
    const { page, complaints, dialog } = await ownerAt('variables', (home) =>
      home.api('POST', '/api/variables', { body: { name: 'SHOP_URL', value: 'https://shop.example' } }),
    );
    await menuOf(page, 'SHOP_URL', 'Edit');
    await dialog.getByLabel('Value', { exact: true }).fill('https://new.example');
    await page.route('**/api/variables/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('What you wrote is kept.').waitFor();
    await page.unroute('**/api/variables/*');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /SHOP_URL.*new\.example/ }).waitFor();
    // The browser reports the rejected request (412) that met its own earlier change.
    expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([]);
  });
});
