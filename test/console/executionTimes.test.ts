// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

inBrowser(
  'executions of one hour are found from their bar and by typing, in the zone of the machine and in UTC',
  async () => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({ nodes: [action('set', 'core.set', { values: { a: 1 } })] });
    for (const _ of [1, 2, 3]) await home.ended(await home.execute(workflowId));
    await stackDatabase().$executeRaw`
    UPDATE executions SET started_at = CASE number WHEN 1 THEN '2026-03-10T02:00:00Z' ELSE '2026-03-10T03:00:00Z' END::timestamptz
    WHERE workflow_id = ${workflowId}::uuid AND number < 3`;
    const { page, complaints } = await openConsole(home.url, '/console/', { zone: 'Asia/Kolkata' });
    await logInThere(page, owner);
    await page.locator('.outcomes-bar[title*="1 completed"]').click();
    const row = (number: number) => page.getByRole('link', { name: `#${number}`, exact: true });
    await row(3).waitFor();
    const from = page.getByLabel('Started from');
    expect(await from.inputValue()).toMatch(/:30$/);
    await from.fill('2026-03-10T07:30');
    await page.getByLabel('Started before').fill('2026-03-10T08:30');
    await row(3).waitFor({ state: 'hidden' });
    await row(1).waitFor();
    expect(await row(2).count()).toBe(0);
    expect(await page.locator('tbody time').getAttribute('title')).toContain('7:30:00');
    await page.getByRole('button', { name: 'account and appearance' }).click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Started from, UTC').waitFor();
    expect(await from.inputValue()).toBe('2026-03-10T02:00');
    await page.locator('tbody time[title*="2:00:00"][title$="UTC"]').waitFor();
    await expectAccessible(page);
    await from.fill('2026-03-10T03:00');
    await page.getByText('No execution matches these filters.').waitFor();
    await page.getByLabel('Started before').fill('2026-03-10T03:01');
    await row(2).waitFor();
    await page.reload();
    await row(2).waitFor();
    expect(await from.inputValue()).toBe('2026-03-10T03:00');
    // Another choice takes the place of both.
    await page.getByLabel('Started', { exact: true }).selectOption('Any time');
    await row(3).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
  },
);
