import { join } from 'node:path';
import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { failingService } from '../setup/providers/failingService.ts';
import { makeShop } from './shop.ts';

// `npm run picture:console`: the six pictures of README and docs.

withBrowser();

test('the pictures of README and docs', async () => {
  const { home, owner, refundId, waiting } = await makeShop(await failingService());
  const { page } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  const open = (path: string) => page.goto(new URL(`/console${path}`, home.url).href);

  await page.getByRole('link', { name: 'Sync stock' }).first().waitFor();
  await take(page, 'home', 860);
  await open('/executions');
  await page.getByRole('row', { name: /#30/ }).waitFor();
  await take(page, 'executions', 860);
  await open(`/executions/${waiting}`);
  await page.getByRole('button', { name: 'Submit' }).waitFor();
  await page.locator('.react-flow__node').first().waitFor();
  await take(page, 'execution', 860);
  await open('/inbox');
  await page
    .getByText(/^Refund \d+ € to /)
    .first()
    .click();
  await page.getByRole('button', { name: 'Submit', exact: true }).waitFor();
  await take(page, 'inbox', 700);
  await open(`/workflows/${refundId}/edit?node=isLarge`);
  await page.getByRole('button', { name: 'Edit here anyway' }).click();
  await page.getByRole('region', { name: 'Form', exact: true }).getByText('Leads to').waitFor();
  await page.getByText('No problems.').waitFor();
  await take(page, 'editor', 700);
  await open('/objects/order?tab=board');
  await page.getByText('A-1054').waitFor();
  await take(page, 'board', 700);
});

async function take(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await page.screenshot({ path: join(PROJECT_ROOT, `docs/console-${name}.png`) });
}
