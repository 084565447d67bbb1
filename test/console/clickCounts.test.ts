// test: long
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { form, node, problems } from '../setup/browser/editorPage.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, manual } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

/** Counts what a person does: each click, each key chord, each choice, and each field that is typed. */
class Hand {
  readonly acts: string[] = [];

  async click(target: Locator): Promise<void> {
    this.acts.push(`click ${target}`);
    await target.click();
  }

  async choose(target: Locator, label: string): Promise<void> {
    this.acts.push(`choose ${label}`);
    await target.selectOption({ label });
  }

  /** Types into a field; going there is part of it. */
  async type(page: Page, target: Locator, text: string): Promise<void> {
    this.acts.push(`type ${text}`);
    await target.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const palette = (page: Page, name: string) =>
  page.locator('.editor-palette').getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => form(page).getByRole('textbox', { name, exact: true });
const choice = (page: Page, name: string) => form(page).getByRole('combobox', { name, exact: true });

inBrowser('a workflow that asks a person takes at most 30 acts from an empty workspace to its end', async () => {
  const { home, owner } = await homeWithOwner();
  const shop = await loopback();
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  const hand = new Hand();

  await hand.click(page.getByRole('link', { name: 'Start empty' }));
  await hand.type(page, field(page, 'Name'), 'Check an order');
  await hand.click(node(page, 'Trigger'));
  await hand.choose(choice(page, 'Starts'), 'by a webhook');
  await hand.click(palette(page, 'HTTP request'));
  await hand.type(page, field(page, 'URL'), `${shop.url}/orders`);
  await hand.click(palette(page, 'Condition'));
  await hand.type(page, choice(page, 'Field'), 'steps.request.output.status');
  await hand.type(page, field(page, 'Value'), '200');
  await hand.click(palette(page, 'Ask a person'));
  await hand.type(page, field(page, 'Title'), 'Ship it?');
  await hand.click(button(page, 'Add a field'));
  await hand.type(page, field(page, 'Label'), 'Approved');
  await hand.choose(choice(page, 'Type'), 'Yes or no');
  await hand.click(palette(page, 'Add an item'));
  const opened = page.context().waitForEvent('page');
  await hand.click(form(page).getByRole('link', { name: 'Create one' }));
  const other = await opened;
  await hand.click(button(other, 'New queue').first());
  await hand.type(other, other.getByRole('dialog').getByLabel('Name'), 'Orders');
  await hand.click(button(other, 'Create'));
  await other.getByRole('heading', { name: 'Orders' }).waitFor();
  hand.acts.push('close the tab');
  await other.close();
  await page.bringToFront();
  await hand.choose(choice(page, 'Queue'), 'Orders');
  await hand.click(button(page, 'Edit as JSON: Data'));
  await hand.type(page, field(page, 'Data'), '{{ trigger.body }}');
  await problems(page).getByText('No problems.').waitFor();
  await hand.click(button(page, 'Run'));
  await hand.type(page, page.getByRole('dialog').getByRole('textbox'), '{"body": {"order": "A-1"}}');
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Run' }));
  await page.getByRole('group', { name: /^Ask a person: .*Needs input/ }).waitFor();
  await hand.click(page.getByRole('link', { name: 'Open the execution' }));
  await hand.click(page.getByRole('checkbox', { name: 'Approved' }));
  await hand.click(button(page, 'Submit'));
  await page.getByRole('status').getByText('Completed').waitFor();

  process.stderr.write(`from an empty workspace: ${hand.acts.length} acts\n${hand.acts.join('\n')}\n`);
  const [queue] = (await home.api('GET', '/api/queues')).body;
  expect((await home.api('GET', `/api/queues/${queue.id}/items`)).body.items).toHaveLength(1);
  expect(hand.acts.length).toBeLessThanOrEqual(30);
  expect(complaints).toEqual([]);
});

inBrowser('a failure takes at most 8 acts to its cause and its retry with a mended step', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({
    ...{ slug: 'price', managedByCode: false, name: 'Price', trigger: manual() },
    nodes: [action('sum', 'core.transform', { value: '{{ 10 / 0 }}' }, { name: 'Sum' })],
  });
  await home.ended(await home.execute(id));
  const { page, complaints } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  const hand = new Hand();

  await hand.click(page.getByRole('link', { name: '#1', exact: true }));
  await page.getByRole('tabpanel', { name: 'Error' }).getByText('EXPRESSION_FAILED').waitFor();
  await hand.click(page.getByRole('link', { name: 'Open in the editor' }));
  await hand.type(page, field(page, 'Value'), '{{ 10 / 2 }}');
  await hand.click(button(page, 'Publish'));
  await page.getByText('Published as version 2.').waitFor();
  hand.acts.push('go back');
  await page.goBack();
  await hand.click(button(page, 'Retry'));
  const dialog = page.getByRole('dialog');
  await hand.click(dialog.getByRole('radio', { name: /latest/ }));
  await hand.click(dialog.getByRole('button', { name: 'Retry' }));
  await page.waitForURL((url) => !url.search.includes('pane'));
  await page.getByRole('status').getByText('Completed').waitFor();

  process.stderr.write(`from a failure: ${hand.acts.length} acts\n${hand.acts.join('\n')}\n`);
  expect(hand.acts.length).toBeLessThanOrEqual(8);
  expect(complaints).toEqual([]);
});
