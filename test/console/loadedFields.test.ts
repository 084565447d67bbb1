// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, problems, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { importedPiece } from '../setup/stack/importedPiece.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

/** Answers JSON by the path without the query. */
const service = (answers: Record<string, unknown>) =>
  loopback(({ url }, response) => {
    const answer = answers[url.replace(/\?.*/, '')];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'no such place' }));
  });

async function labelsOf({ api }: Home, app: string, actionId: string): Promise<Record<string, string>> {
  const { body } = await api('GET', `/api/workflow-apps/${app}`);
  const found = body.actions.find((one: { actionId: string }) => one.actionId === actionId);
  return Object.fromEntries(
    found.inputConfig.fields.map(({ key, label }: { key: string; label: string }) => [key, label]),
  );
}

const inputsOf = async ({ api }: Home, id: string) =>
  (await api('GET', `/api/workflows/${id}?expansion=nodes`)).body.nodes[0].inputs;

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)('the columns of the chosen table are fields of the form: %s, %i wide', async (scheme, width) => {
  const { url } = await service({
    '/api/database/tables/all-tables/': [
      { id: 17, name: 'Orders' },
      { id: 18, name: 'Customers' },
    ],
    '/api/database/fields/table/17/': [
      { id: 1, name: 'Title', type: 'text', read_only: false },
      { id: 2, name: 'Amount', type: 'number', read_only: false },
    ],
    '/api/database/fields/table/18/': [{ id: 3, name: 'Town', type: 'text', read_only: false }],
  });
  const { home, owner } = await homeWithOwner();
  await importedPiece(
    home,
    { slug: 'rows', package: '@activepieces/piece-baserow@0.10.0', actions: ['baserow_create_row'] },
    { type: 'custom', values: { authType: 'database_token', apiUrl: url, token: 'rows-secret-1' } },
  );
  const labels = await labelsOf(home, 'rows', 'baserow_create_row');
  const inputs = { table_id: 'json:17', table_fields: { Title: 'Old', Kept: 'x' } };
  const id = await home.deploy({
    ...{ name: 'Rows', managedByCode: false },
    nodes: [action('act', 'rows.baserow_create_row', inputs, { name: 'Act' })],
  });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=act`, { scheme, width });
  await logInThere(page, owner);
  const fields = form(page).getByRole('group', { name: labels.table_fields ?? '' });
  await fields.getByRole('textbox', { name: 'Title' }).waitFor();
  const table = form(page).getByRole('combobox', { name: labels.table_id ?? '' });
  await poll(() => table.inputValue()).toBe('Orders');
  await write(page, 'Amount', '3');
  await expectAccessible(page);
  await problems(page).getByText('No problems.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 2.').waitFor();
  expect(await inputsOf(home, id)).toEqual({
    table_id: 'json:17',
    table_fields: { Title: 'Old', Kept: 'x', Amount: 3 },
  });
  await table.click();
  await page.getByRole('option', { name: 'Customers' }).click();
  await fields.getByRole('textbox', { name: 'Town' }).waitFor();
  expect(await fields.getByRole('textbox', { name: 'Title' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

inBrowser('several options are chosen, typed and removed by the keyboard', async () => {
  const { url } = await service({
    '/': {},
    '/wp-json/wp/v2/categories': [
      { id: 3, name: 'News' },
      { id: 4, name: 'Offers' },
    ],
  });
  const { home, owner } = await homeWithOwner();
  await importedPiece(
    home,
    { slug: 'press', package: '@activepieces/piece-wordpress@0.7.0', actions: ['create_post'] },
    { type: 'custom', values: { username: 'ada', password: 'word-press-1', website_url: url } },
  );
  const labels = await labelsOf(home, 'press', 'create_post');
  const inputs = { title: 'Hello', content: 'World', status: 'draft', categories: ['json:3', 'json:9'] };
  const id = await home.deploy({
    ...{ name: 'Posts', managedByCode: false },
    nodes: [action('act', 'press.create_post', inputs, { name: 'Act' })],
  });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=act`);
  await logInThere(page, owner);
  const categories = form(page).getByRole('combobox', { name: labels.categories ?? '' });
  // A value that is no option stays.
  await form(page).getByText('News', { exact: true }).waitFor();
  await form(page).getByText('json:9', { exact: true }).waitFor();
  await categories.press('Backspace');
  await form(page).getByText('json:9', { exact: true }).waitFor({ state: 'detached' });
  await categories.fill('off');
  await page.getByRole('option', { name: 'Offers' }).waitFor();
  await expectAccessible(page);
  await categories.press('ArrowDown');
  await categories.press('Enter');
  await categories.fill('json:7');
  await categories.press('Tab');
  await form(page).getByText('json:7', { exact: true }).waitFor();
  await expectAccessible(page);
  await problems(page).getByText('No problems.').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 2.').waitFor();
  expect((await inputsOf(home, id)).categories).toEqual(['json:3', 'json:4', 'json:7']);
  expect(complaints).toEqual([]);
});
