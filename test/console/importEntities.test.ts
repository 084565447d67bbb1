import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { withBrowser } from '../setup/browser/consolePage.ts';
import { addEntity, entitiesSeen, withTypes } from '../setup/browser/orderTypes.ts';

withBrowser();

inBrowser('checks a file before the import, and exports entities as CSV', async () => {
  const { home, page, complaints, dialog } = await entitiesSeen('/order');
  await page.getByRole('button', { name: 'Import' }).click();
  await dialog.getByLabel('Or paste it').fill('name,total,Source\nOrder 1,5,web\nOrder 2,much,web\n');
  await dialog.getByText('2 rows').waitFor();
  await dialog.getByLabel('“Source” becomes').selectOption('kind');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('1 new, 0 changed, 1 with problems').waitFor();
  const problems = dialog.getByRole('table', { name: 'Problems' });
  await problems.getByRole('cell', { name: 'total' }).waitFor();
  expect((await home.api('GET', '/api/objects?objectTypeSlug=order')).body.pagination.total).toBe(0);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('1 entity was written.').waitFor();
  // Imported rows are removed, so that they are not imported twice.
  await dialog.getByText('Only the rows with problems remain above').waitFor();
  const pasted = dialog.getByLabel('Or paste it');
  expect(await pasted.inputValue()).toBe('name,total,Source\nOrder 2,much,web\n');
  // A browser reports the same file again only if the previous choice was reset.
  const chosen = async (text: string) => {
    const opened = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    const chooser = await opened;
    const before = await chooser.element().inputValue();
    await chooser.setFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog.getByText('1 row', { exact: true }).waitFor();
    return before;
  };
  // Letters of another encoding would be stored as question marks.
  const opened = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  const latin = { name: 'latin.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nM\xfcller\n', 'latin1') };
  await (await opened).setFiles(latin);
  await page.getByText('The file is no text in UTF-8.').waitFor();
  expect(await pasted.inputValue()).toContain('Order 2,much');
  const values = [await chosen('name,total\nOrder 2,many\n'), await chosen('name,total\nOrder 2,7\n')];
  expect(values).toEqual(['', '']);
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('1 new, 0 changed, 0 with problems').waitFor();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Order' }).getByRole('link', { name: 'Order 2' }).waitFor();
  await page.getByRole('table', { name: 'Order' }).getByRole('link', { name: 'Order 1' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'As CSV' }).click();
  const lines = readFileSync(await (await waiting).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines.join()).toMatch(/,Order 1,draft,.*web/);
  expect(complaints).toEqual([]);
});

inBrowser('importing an export again duplicates nothing: it applies changes and new rows', async () => {
  const { home, page, complaints, dialog } = await entitiesSeen('/order', async (own) => {
    await withTypes(own);
    const customer = await addEntity(own, 'Ada', { email: 'ada@test.local' }, 'customer');
    await addEntity(own, 'Order 1', { total: 5, customer, lines: [{ article: 'a "b", c' }] });
    await addEntity(own, 'Order 2', { total: 7, kind: 'web' });
  });
  const all = async () => {
    const { body } = await home.api('GET', '/api/objects?objectTypeSlug=order&expansion=attributes,state');
    const shown = ({ id, name, state, attributes }: Record<string, unknown>) => ({ id, name, state, attributes });
    return body.items.map(shown).sort((a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id));
  };
  const before = await all();
  const exported = async (how: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: how }).click();
    return readFileSync(await (await waiting).path(), 'utf8');
  };
  const csv = await exported('As CSV');
  const json = await exported('As JSON');
  const imported = async (text: string, is: string) => {
    await page.getByRole('button', { name: 'Import' }).click();
    await dialog.getByLabel('Or paste it').fill(text);
    await dialog.getByText('This file was exported from a list of entities').waitFor();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText(is).waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  for (const text of [csv, json]) {
    await imported(text, '0 new, 2 changed, 0 with problems');
    expect(await all()).toEqual(before);
  }
  await imported(`${csv.replace(',web', ',shop')}`, '0 new, 2 changed, 0 with problems');
  expect((await all()).map(({ attributes }: { attributes: { kind?: string } }) => attributes.kind)).toEqual([
    undefined,
    'shop',
  ]);
  await imported(csv.replace('Order 2', 'Order 3'), '1 new, 1 changed, 0 with problems');
  expect(await all()).toHaveLength(3);
  expect(complaints).toEqual([]);
});
