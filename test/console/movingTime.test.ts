// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { olderExecutions } from '../setup/database/olderExecutions.ts';
import { question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const PAGE = 50;
const ROWS = 3 * PAGE + 1;

inBrowser(
  'executions of the last hour stay one list while minutes pass: its pages, and what one is about to do',
  async () => {
    const { home, owner } = await homeWithOwner();
    const asking = await home.execute(await home.deploy({ nodes: [question('ask')], slug: 'ask', name: 'Ask' }));
    await home.asked(asking, 'ask');
    await olderExecutions(asking, ROWS - 1);
    const { page, complaints } = await openConsole(home.url, '/console/');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    await page.clock.install({ time: Date.now() });
    await page.goto(new URL('/console/executions?since=1h', home.url).href);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await more.click();
    const all = page.locator(`[aria-rowcount="${3 * PAGE + 1}"]`);
    await all.waitFor();

    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 1 execution?' });
    const reason = dialog.getByLabel(/^Reason/);
    await reason.fill('The shop is ');
    const readAgain = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/executions');
    await page.clock.fastForward(61_000);
    await (await readAgain).finished();
    await reason.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('closed');
    expect(await reason.inputValue()).toBe('The shop is closed');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect((await home.ended(asking)).status).toBe('CANCELLED');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await all.waitFor();
    expect(complaints).toEqual([]);
  },
);
