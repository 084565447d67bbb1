// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole, walked } from '../setup/browser/consolePages.ts';
import { wrongByTab } from '../setup/browser/tabWalk.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

inBrowser(
  'Tab goes round each page, in the order that is seen, to all that can be used, and shows where it is',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { pages } = await fillConsole(home, stackDatabase());
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const wrong: string[] = [];
    for (const { path, shown } of walked(pages)) {
      await page.goto(new URL(`/console${path}`, home.url).href);
      await page.getByRole('main').getByText(shown).first().waitFor();
      await page.locator('.mantine-Loader-root').first().waitFor({ state: 'detached' });
      wrong.push(...(await wrongByTab(page)).map((each) => `${path}: ${each}`));
    }
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);

inBrowser('what the walk by Tab calls wrong is found: out of reach, out of order, unseen, and a trap', async () => {
  const { home, owner } = await homeWithOwner();
  const { page } = await openConsole(home.url, '/console/queues');
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'New queue' }).first().waitFor();
  await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', '<form>'
    + '<button id=late>Later</button>'
    + '<button id=early>Early</button>'
    + '<button id=plain>Plain</button><button id=skipped>Skipped</button></form>')`);
  await page.evaluate(`{
    const style = new CSSStyleSheet();
    style.replaceSync('#late, #early { position: absolute; top: 300px } #early { top: 200px } #plain { outline: none !important }');
    document.adoptedStyleSheets = [style];
    document.querySelector('#skipped').addEventListener('focus', ({ target }) => target.blur());
  }`);
  const wrong = await wrongByTab(page);
  expect(wrong).toEqual(expect.arrayContaining(['out of order: button Early after button Later']));
  expect(wrong).toEqual(expect.arrayContaining(['no focus is seen: button Plain']));
  await page.evaluate(
    `document.querySelector('#plain').addEventListener('keydown', (event) => event.preventDefault())`,
  );
  expect(await wrongByTab(page)).toEqual(expect.arrayContaining(['Tab does not go round']));
});
