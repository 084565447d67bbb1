// test: long
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser(
  'a part that a new version of the console has taken away is said so, and comes when it is tried again',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    const parts = '**/console/assets/Finder*';
    await page.route(parts, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Control+k');
    await page.getByRole('alert').getByText('there may be a new version').waitFor();
    await expectAccessible(page);
    await page.unroute(parts);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Jump to' }).waitFor();
  },
);
