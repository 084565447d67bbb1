import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { brokenNetwork } from '../setup/api/brokenNetwork.ts';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

interface Form {
  what: string;
  path: string;
  /** What opens it. */
  opener: string;
  more?: (dialog: Locator) => Promise<void>;
  fields: [label: string, text: string][];
  submit: string;
  /** How many there are at the API. */
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
    more: (dialog) => dialog.getByLabel('Secret: nobody reads its value').check(),
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
    more: (dialog) => dialog.getByRole('button', { name: 'All that read' }).click(),
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
