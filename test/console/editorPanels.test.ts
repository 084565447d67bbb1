import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { form, isInGraph, node } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const greet = {
  ...{ slug: 'greet', managedByCode: false, name: 'Greet', trigger: manual() },
  nodes: [
    action('hello', 'core.transform', { value: 'Hello' }, { name: 'Hello' }),
    action('loud', 'core.transform', { value: 'HELLO' }, { name: 'Loud' }),
  ],
  edges: chain('hello', 'loud'),
};
const actions = (page: Page) => page.getByRole('region', { name: 'Actions', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isOpen = (page: Page, name: string) => button(page, name).getAttribute('aria-expanded');
const widthOf = async (page: Page, place: string) => Math.round((await page.locator(place).boundingBox())?.width ?? 0);

inBrowser('panels open, close and resize, and the browser keeps how they were', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy(greet);
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit`);
  await logInThere(page, owner);
  await form(page).getByLabel('Slug').waitFor();
  expect([await isOpen(page, 'Actions'), await isOpen(page, 'Form')]).toEqual(['true', 'true']);
  const edge = page.getByRole('separator', { name: 'Width of the form' });
  const before = await widthOf(page, '.editor-form');
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await poll(() => widthOf(page, '.editor-form')).toBe(before + 16);
  const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
  await page.mouse.move(x + 4, y + 100);
  await page.mouse.down();
  await page.mouse.move(x - 46, y + 100, { steps: 5 });
  await page.mouse.up();
  await poll(() => widthOf(page, '.editor-form')).toBe(before + 66);
  expect(await edge.getAttribute('aria-valuenow')).toBe(String(before + 66));
  await page.keyboard.press('Home');
  await poll(() => widthOf(page, '.editor-form')).toBe(260);
  await button(page, 'Actions').click();
  await actions(page).waitFor({ state: 'detached' });
  await button(page, 'Form').click();
  await form(page).waitFor({ state: 'detached' });
  await poll(() => widthOf(page, '.editor-canvas')).toBeGreaterThan(1_150);
  await page.reload();
  await node(page, 'Hello').waitFor();
  expect([await isOpen(page, 'Actions'), await isOpen(page, 'Form')]).toEqual(['false', 'false']);
  await expectAccessible(page);

  // A node opens the closed form, which closes again without it.
  await node(page, 'Hello').click();
  await form(page).getByRole('heading', { name: 'Hello' }).waitFor();
  expect(await widthOf(page, '.editor-form')).toBe(260);
  await poll(() => isInGraph(page, 'Hello')).toBe(true);
  await page.locator('.react-flow__pane').click({ position: { x: 5, y: 300 } });
  await form(page).waitFor({ state: 'detached' });
  await node(page, 'Loud').click();
  await form(page).getByRole('heading', { name: 'Loud' }).waitFor();
  await button(page, 'Form').click();
  await form(page).waitFor({ state: 'detached' });
  await node(page, 'Loud').click();
  await form(page).getByRole('heading', { name: 'Loud' }).waitFor();
  // The key for adding opens the list of actions.
  await node(page, 'Loud').focus();
  await page.keyboard.press('a');
  await actions(page).getByRole('searchbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('wait');
  await page.keyboard.press('Enter');
  await node(page, 'Wait').and(page.locator(':focus')).waitFor();
  for (const name of ['Trigger', 'Wait']) await poll(() => isInGraph(page, name)).toBe(true);
  expect(complaints).toEqual([]);
});

inBrowser(
  'a large graph has an overview, and fits; notes stay with the workflow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const ids = Array.from({ length: 200 }, (_, index) => `n${index}`);
    const id = await home.deploy({
      ...greet,
      nodes: ids.map((one, index) =>
        action(one, 'core.transform', { value: 1 }, { position: { x: index * 260, y: 0 } }),
      ),
      edges: chain(...ids),
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=n0`);
    await logInThere(page, owner);
    await page.getByRole('img', { name: 'Overview of the graph' }).waitFor();
    await button(page, 'Fit').click();
    for (const name of ['n0', 'n199']) {
      const inner = page.locator(`.react-flow__node[data-id="${name}"]`);
      const canvas = page.locator('.editor-canvas');
      await poll(async () => {
        const [one, all] = [await inner.boundingBox(), await canvas.boundingBox()];
        return one !== null && all !== null && one.x >= all.x && one.x + one.width <= all.x + all.width;
      }).toBe(true);
    }
    await button(page, 'Add a note').click();
    const note = page.getByRole('textbox', { name: 'Note', exact: true });
    await note.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Ask Ada first');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Note: Ask Ada first' }).and(page.locator(':focus')).waitFor();
    await button(page, 'Actions').click();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 2.').waitFor();
    const { body } = await home.api('GET', `/api/workflows/${id}?expansion=notes`);
    expect(body.notes).toMatchObject([{ id: 'n1', text: 'Ask Ada first' }]);
    await page.reload();
    await note.waitFor();
    expect(await note.inputValue()).toBe('Ask Ada first');
    await button(page, 'Remove the note').focus();
    await page.keyboard.press('Enter');
    await note.waitFor({ state: 'detached' });
    await button(page, 'Undo').click();
    await page.getByRole('group', { name: 'Note: Ask Ada first' }).focus();
    await page.keyboard.press('Delete');
    await note.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
