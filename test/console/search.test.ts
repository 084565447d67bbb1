import { describe, expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('finder', () => {
  inBrowser(
    'keys typed after Ctrl K are held until the palette has loaded, and none reaches the field that had the focus',
    async () => {
      const { home, owner } = await homeWithOwner();
      const { page, complaints } = await openConsole(home.url, '/console/executions');
      await logInThere(page, owner);
      const find = page.getByRole('textbox', { name: 'Find', exact: true });
      await find.waitFor();
      const { after: released, goOn: release } = gate();
      await page.route(/\/assets\/Finder-[^/]*\.js/, async (route) => {
        await released;
        await route.continue();
      });
      await find.focus();
      await page.keyboard.press('Control+k');
      for (const key of 'workfx') await page.keyboard.press(key);
      await page.keyboard.press('Backspace');
      await page.getByRole('status').getByText('workf', { exact: true }).waitFor();
      await expectAccessibleInAll(page);
      expect(await find.inputValue()).toBe('');
      release();
      const palette = page.getByRole('dialog').getByRole('combobox');
      await palette.and(page.locator(':focus')).waitFor();
      await page.keyboard.type('low');
      expect(await palette.inputValue()).toBe('workflow');
      expect(await find.inputValue()).toBe('');
      await page.getByRole('option', { name: 'Workflows', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await find.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+k');
      await palette.waitFor();
      expect(await palette.inputValue()).toBe('');
      expect(complaints).toEqual([]);
    },
    ALL_VIEWS_MS,
  );
});

describe('search in code', () => {
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
});
