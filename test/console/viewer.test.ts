// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { ALL_VIEWS_MS, expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { fillConsole } from '../setup/browser/consolePages.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { confirmed, newMember } from '../setup/workspace/people.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const CLOSED = [
  ...['workflows/new', '/templates'],
  ...['connections', 'variables', 'people', 'keys', 'audit'].map((each) => `settings/${each}`),
];
/** Text that replaces the offer on these pages. */
const SEEN: Record<string, string> = {
  '/': 'for others.',
  '/objects/$typeSlug/$id': 'Ada Lovelace',
  '/agents/$agentId': 'Memories',
};
/** The one page where a viewer may change things. */
const OWN = '/settings/account';
const CHANGES =
  /^(retry|run|cancel|terminate|delete|pause|resume|edit|save|new|add|claim|complete|fail|requeue|import|upload|send|stop|deny|allow|forget|rename|restore|activate|deactivate|connect|invite|move|record|answer|submit)\b|^approve$/i;

inBrowser(
  'a viewer sees executions, is offered no change, and sends no request that is refused',
  async () => {
    const { home: bare, owner } = await homeWithOwner();
    const { home, pages, page: pageOf } = await fillConsole(bare, stackDatabase());
    const viewer = await confirmed(await newMember(home, 'viewer'));
    const { page, complaints } = await openConsole(home.url, '/console/');
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) refused.push(`${answer.request().method()} ${answer.url()} of ${page.url()}`);
    });
    await logInThere(page, viewer);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    const places = await page.getByRole('navigation').first().getByRole('link').allTextContents();
    for (const place of ['Executions', 'Workflows', 'Queues', 'Agents', 'Knowledge']) {
      expect(places.some((each) => each.includes(place))).toBe(true);
    }
    const offered: string[] = [];
    for (const { route, path, shown } of pages) {
      const isClosed = CLOSED.some((each) => path.includes(each));
      const text = path.includes('?tab=') ? shown : (SEEN[route] ?? shown);
      await page.goto(new URL(`/console${path}`, home.url).href);
      if (isClosed) await page.getByRole('heading', { name: 'No access to this page' }).waitFor();
      else await page.getByText(text).first().waitFor();
      if (path === OWN) continue;
      const names: string[] = await page.evaluate(
        "[...document.querySelectorAll('main :is(button, a.mantine-Button-root, [role=menuitem]):not(:disabled)')]" +
          '.map((each) => (each.ariaLabel ?? each.textContent).trim())',
      );
      offered.push(...names.filter((name) => CHANGES.test(name)).map((name) => `${path}: ${name}`));
      await expectAccessible(page);
    }
    expect(offered).toEqual([]);
    await page.goto(new URL(`/console${pageOf('/executions/$executionId').path}`, home.url).href);
    const form = page.getByRole('region', { name: 'Refund order A-1042?' });
    await form.getByText('Only certain people may answer this question, and you are not one of them.').waitFor();
    await form.getByRole('button', { name: 'Submit', disabled: true }).waitFor();
    expect(refused).toEqual([]);
    expect(complaints).toEqual([]);
    const { page: ownPage } = await openConsole(home.url, '/console/settings/people');
    await logInThere(ownPage, owner);
    const row = ownPage.getByRole('row').filter({ hasText: viewer.email });
    await row.waitFor();
    expect(await row.textContent()).toContain('Viewer');
  },
  ALL_VIEWS_MS,
);
