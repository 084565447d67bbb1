import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, expectAccessibleInAll, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { inject } from '../setup/stack/inject.ts';

withBrowser();

inBrowser('the check of accessibility finds a picture without a text and a pale sentence', async () => {
  const { page } = await openConsole(inject('stack').url, '/console/login');
  await page.getByLabel('E-mail').waitFor();
  await expectAccessibleInAll(page);
  await page.evaluate(`{
    const pale = Object.assign(document.createElement('p'), { textContent: 'Pale', style: 'color: #ccc; background: #eee' });
    document.querySelector('h1').after(document.createElement('img'), pale);
  }`);
  await expect(expectAccessible(page)).rejects.toThrow('image-alt');
  await expect(expectAccessibleInAll(page)).rejects.toThrow('dark, 390 wide: color-contrast');
});
