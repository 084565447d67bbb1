import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const SECRET = 'correct-horse-battery';

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'a menu has the link, the whole answer as JSON, and the Temporal UI: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const workflowId = await home.deploy({
      trigger: manual(
        { key: 'order', label: 'Order', type: 'text', required: true },
        { key: 'pin', label: 'Pin', type: 'secret', required: true },
      ),
      nodes: [action('set', 'core.set', { values: { order: '{{ trigger.order }}', pin: '{{ trigger.pin }}' } })],
    });
    const id = await home.execute(workflowId, { order: 'A-1042', pin: SECRET });
    await home.ended(id);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${id}`, { scheme, width });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await logInThere(page, owner);
    const menu = page.getByRole('button', { name: 'More about this execution' });
    const items = page.getByRole('menuitem');
    await menu.focus();
    await page.keyboard.press('Enter');
    await items.first().waitFor();
    const { body } = await home.api('GET', '/api/discovery/enabled-features');
    const temporal = items.filter({ hasText: 'Open in the Temporal UI' });
    expect(await temporal.getAttribute('href')).toBe(
      `${body.temporalUiUrl}/namespaces/${body.temporalNamespace}/workflows/${id}`,
    );
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Link copied.').waitFor();
    const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
    expect(await copied()).toBe(page.url());
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Raw JSON' });
    const text = dialog.locator('pre');
    await text.waitFor();
    await expectAccessible(page);
    const shown = (await text.textContent()) ?? '';
    expect(shown).not.toContain(SECRET);
    const answer = JSON.parse(shown);
    expect(answer).toMatchObject({
      id,
      status: 'COMPLETED',
      input: { trigger: { order: 'A-1042', pin: '***' } },
      childExecutions: [],
    });
    expect(answer.executionPath).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Copy JSON' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe(shown);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('execution-1.json');
    expect(await readFile(await file.path(), 'utf8')).toBe(shown);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await menu.click();
    await items.filter({ hasText: 'Raw JSON' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await menu.and(page.locator(':focus')).waitFor();
    expect(complaints).toEqual([]);
  },
);
