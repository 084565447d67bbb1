import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, node, problems, write } from '../setup/browser/editorPage.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const greet = {
  ...{ slug: 'greet', managedByCode: false, name: 'Greet', trigger: manual() },
  nodes: [action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' })],
  edges: chain('hello'),
};
const edit = (id: string) => `/console/workflows/${id}/edit?node=hello`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const read = async (home: Home, id: string) =>
  (await home.api('GET', `/api/workflows/${id}?expansion=version,hasDraft,nodes`)).body;

inBrowser('a draft is saved with its problems, and published without them', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greet);
  const { page, complaints } = await openConsole(home.url, edit(id));
  await logInThere(page, owner);
  await write(page, 'Value', '{{ steps.nobody.output }}');
  await problems(page)
    .getByRole('button', { name: /there is no node nobody/ })
    .waitFor();
  await button(page, 'Save draft').click();
  await page.getByText('Draft saved.').waitFor();
  await page.getByText('Draft', { exact: true }).waitFor();
  expect(await read(home, id)).toMatchObject({
    ...{ version: 1, hasDraft: true, nodes: [{ inputs: { value: 'Hello' } }] },
  });
  await button(page, 'Publish').click();
  await page.getByText('Fix these problems first.').waitFor();
  await form(page).getByRole('textbox', { name: 'Value', exact: true }).and(page.locator(':focus')).waitFor();
  expect(await read(home, id)).toMatchObject({ version: 1 });

  // The draft is in the API, so another browser continues it.
  const other = await openConsole(home.url, edit(id));
  await logInThere(other.page, owner);
  await form(other.page).getByText('steps.nobody.output').first().waitFor();
  await write(other.page, 'Value', 'Good morning');
  await problems(other.page).getByText('No problems.').waitFor();
  await other.page.keyboard.press('ControlOrMeta+s');
  await other.page.getByText('Draft saved.').waitFor();
  await write(page, 'Value', 'Good evening');
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The saved draft or version is newer than the one you started from.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await form(page).getByText('Good morning').first().waitFor();
  await button(page, '1 change').click();
  await dialog.getByText('nodes.hello.inputs.value changed').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Publish').click();
  await page.getByText('Published as version 2.').waitFor();
  expect(await read(home, id)).toMatchObject({
    ...{ version: 2, hasDraft: false, nodes: [{ inputs: { value: 'Good morning' } }] },
  });
  await button(page, 'Publish').click();
  await page.getByText('Nothing has changed since version 2.').waitFor();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

inBrowser('a discarded draft gives way to the published version; a new workflow begins as a draft', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greet);
  const { page, complaints } = await openConsole(home.url, edit(id));
  await logInThere(page, owner);
  await write(page, 'Name', 'Hi');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Draft saved.').waitFor();
  await button(page, '1 change').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
  await page.getByText('The draft is discarded.').waitFor();
  await node(page, 'Hello').waitFor();
  expect(await read(home, id)).toMatchObject({ version: 1, hasDraft: false });
  await button(page, 'Undo').click();
  await node(page, 'Hi').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Draft saved.').last().waitFor();

  await page.goto(new URL('/console/workflows/new', home.url).href);
  await form(page).getByRole('textbox', { name: 'Name', exact: true }).fill('Not yet');
  await button(page, 'Save draft').click();
  await page.waitForURL(/workflows\/[0-9a-f-]{36}\/edit/);
  await page.getByText('Not published', { exact: true }).waitFor();
  const { body } = await home.api('GET', '/api/workflows?filterBy=slug:not-yet&expansion=version,hasDraft');
  expect(body).toMatchObject([{ version: null, hasDraft: true }]);
  await button(page, 'Publish').click();
  await page.getByText('Published as version 1.').waitFor();
  await page.getByText('Not published', { exact: true }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});
