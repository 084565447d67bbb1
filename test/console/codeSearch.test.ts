// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const GROUNDS = `[...document.querySelectorAll('.cm-editor, .cm-search, .cm-search .cm-textfield, .cm-search .cm-button')]
  .filter((each) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(each);
    return backgroundImage !== 'none' || backgroundColor === 'rgb(255, 255, 255)';
  })
  .map(({ className, name }) => name || className)`;

const IS_SEEN = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
  document.querySelector('.cm-search').getBoundingClientRect())`;

inBrowser(
  'find and replace in a text of code is worked by keyboard, has the colours of the theme and is accessible',
  async () => {
    const { home, owner } = await homeWithOwner();
    const count = action('count', 'core.set', { values: { stock: 3 } }, { name: 'Count' });
    // Longer than the window.
    const others = Array.from({ length: 30 }, (_, index) => action(`set${index}`, 'core.set', { values: { index } }));
    const id = await home.deploy({ nodes: [count, ...others] });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?tab=code`, {
      scheme: 'dark',
    });
    await logInThere(page, owner);
    const text = page.getByRole('textbox', { name: 'Definition' });
    await page.getByRole('button', { name: 'Edit here anyway' }).click();
    await text.focus();
    const keys = page.keyboard;
    await keys.press('Control+f');
    await page.locator('input[name=search]:focus').waitFor();
    await keys.type('stock');
    await page.locator('.cm-searchMatch').first().waitFor();
    expect(await page.evaluate(GROUNDS)).toEqual([]);
    expect(await page.evaluate(IS_SEEN)).toBe(true);
    await expectAccessibleInAll(page);
    await page.locator('input[name=search]').focus();
    for (const name of ['next', 'prev', 'select', 'case', 're', 'word', 'replace']) {
      await keys.press('Tab');
      await page.locator(`.cm-search [name=${name}]:focus`).waitFor();
    }
    await keys.type('left');
    await keys.press('Tab');
    await keys.press('Tab');
    await page.locator('.cm-search [name=replaceAll]:focus').waitFor();
    await keys.press('Enter');
    await text.getByText('left').waitFor();
    await keys.press('Escape');
    await page.locator('.cm-search').waitFor({ state: 'detached' });
    await text.and(page.locator(':focus')).waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
