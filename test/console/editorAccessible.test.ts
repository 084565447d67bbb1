// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { form } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { chain, control, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const greet = {
  managedByCode: false,
  name: 'Greet',
  trigger: manual({ key: 'person', label: 'Person', type: 'text', required: true }),
};
const edit = (id: string, more = '') => `/console/workflows/${id}/edit${more}`;

inBrowser(
  'the editor is accessible: what a new workflow, the trigger, a node and the definition show',
  async () => {
    const { home, owner } = await homeWithOwner();
    const ask = control(
      'ask',
      'input',
      { fields: [{ key: 'ok', label: 'Ok', type: 'boolean', required: true }] },
      { name: 'Ask' },
    );
    const choose = control(
      'choose',
      'switch',
      { cases: [{ name: 'big', when: '{{ steps.ask.output.ok }}' }] },
      { name: 'Choose' },
    );
    const id = await home.deploy({ ...greet, slug: 'shown', nodes: [ask, choose], edges: chain('ask', 'choose') });
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
    await logInThere(page, owner);
    await form(page).getByLabel('Project').waitFor();
    await expectAccessibleInAll(page);
    for (const at of ['trigger', 'ask', 'choose']) {
      await page.goto(new URL(edit(id, `?node=${at}`), home.url).href);
      await form(page).getByText('Leads to').waitFor();
      await expectAccessibleInAll(page);
    }
    // 200 wide at its full size: what a node says can be read on a phone, too.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const trigger = page.locator('.react-flow__node[data-id=trigger]');
    await poll(async () => (await trigger.boundingBox())?.width).toBeGreaterThan(100);
    await page.goto(new URL(edit(id, '?tab=code'), home.url).href);
    await page.getByRole('textbox', { name: 'Definition' }).waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
