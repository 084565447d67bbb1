// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { withBrowser } from '../setup/browser/consolePage.ts';
import { entitiesSeen } from '../setup/browser/orderTypes.ts';

withBrowser();

inBrowser('an import that nobody answered goes on as it was, and writes no row twice', async () => {
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
  await dialog.getByText('How much was written is not known.').waitFor();
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
  await dialog.getByText('How much was written is not known.').waitFor();
  await page.unroute('**/api/objects/import');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('2 entities were written.').waitFor();
  expect((await home.api('GET', '/api/objects?objectTypeSlug=order')).body.pagination.total).toBe(2);
  expect(complaints).toEqual([]);
});
