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
import { form, problems } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser(
  'a webhook is given to events of Slack, with its signing secret, and back to any sender',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'hooked', managedByCode: false, name: 'Hooked' },
      trigger: { id: 'trigger', type: 'webhook', config: { respond: 'immediately' } },
      nodes: [action('set', 'core.set', { values: {} })],
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=trigger`);
    await logInThere(page, owner);
    const sender = form(page).getByLabel('Sender');
    await sender.selectOption('Slack');
    expect(await form(page).locator('[data-field="config.triggerId"]').inputValue()).toBe('events');
    expect(await form(page).getByLabel('Answers').count()).toBe(0);
    await problems(page)
      .getByText(/Signing secret|Signature/)
      .waitFor();
    await form(page).getByLabel('Signing secret').fill('slack-secret-1');
    await form(page).getByRole('textbox', { name: 'Channel' }).fill('C0123456789');
    await problems(page).getByText('No problems.').waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const config = async () =>
      (await home.api('GET', `/api/workflows/${id}?expansion=triggerNode`)).body.triggerNode.config;
    await poll(config).toMatchObject({
      ...{ appId: 'slack', triggerId: 'events', inputs: { channel: 'C0123456789' } },
      hmac: { secret: '********', format: 'slack' },
    });
    await page.goto(new URL(`/console/workflows/${id}?tab=triggers`, home.url).href);
    await page.getByText('Slack signs each request with the signing secret of the Slack app.').waitFor();
    await page.getByText('Slack: Event').waitFor();
    await page.goto(new URL(`/console/workflows/${id}/edit?node=trigger`, home.url).href);
    await sender.selectOption('any');
    await form(page).getByLabel('Answers').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
