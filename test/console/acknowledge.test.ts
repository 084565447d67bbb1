import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const failing = {
  slug: 'refunds',
  name: 'Refunds',
  nodes: [action('pay', 'testing.fail', { message: 'None is left', retryable: false })],
};

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'a failure is acknowledged with a note and no longer counts as failing: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy(failing);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await home.ended(await home.execute(workflowId))).id);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${ids[0]}`, { scheme, width });
    await logInThere(page, owner);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByLabel('Note (optional)').fill('Paid by hand');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await page
      .getByRole('status')
      .getByText(/^Acknowledged by .*: Paid by hand$/)
      .waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' });
    await expectAccessible(page);

    // Somebody else acknowledges the execution whose page is open.
    await page.goto(new URL(`/console/executions/${ids[1]}`, home.url).href);
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
    await home.api('POST', `/api/executions/${ids[1]}/acknowledge`, { body: { note: 'Ticket 7' } });
    await page
      .getByRole('status')
      .getByText(/Ticket 7$/)
      .waitFor();

    await page.goto(new URL('/console/', home.url).href);
    const failures = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Failing' }) });
    await failures.getByRole('link', { name: '1 execution failed in 24 hours' }).click();
    const table = page.getByRole('table', { name: 'Executions' });
    await table.getByRole('link', { name: '#3' }).waitFor();
    expect(await table.getByRole('link', { name: /^#/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText('Acknowledge 1 failure?').waitFor();
    await dialog.getByLabel('Note (optional)').fill('Known');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.getByText('Done: 1 execution.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No execution matches these filters.').waitFor();
    if (width === 390) await page.getByRole('button', { name: /^Filters/ }).click();
    expect(await page.getByLabel('Still failing').isChecked()).toBe(true);
    await page.getByLabel('Still failing').uncheck();
    await table
      .getByText(/^Acknowledged by/)
      .nth(2)
      .waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
);
