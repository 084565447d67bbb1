import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { gate } from '../setup/jest/gate.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

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
