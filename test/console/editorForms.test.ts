// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { add, form, problems } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { chain, manual, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'a question is for members, its keys follow its labels, and its form can be tried: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({
      ...{ slug: 'asks', managedByCode: false, name: 'Asks', trigger: manual() },
      nodes: [question('first', { fields: [{ key: 'ok', label: 'OK', type: 'boolean' }] }, { name: 'First' })],
      edges: [],
    });
    const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=first`, {
      scheme,
      width,
    });
    await logInThere(page, owner);
    const who = form(page).getByLabel('Who may answer');
    // Without a value, as the API has it.
    expect(await who.inputValue()).toBe('anyone');
    // A stored key stays: steps read it.
    const stored = form(page).getByRole('region', { name: 'OK', exact: true });
    await stored.getByRole('textbox', { name: 'Label' }).fill('Fine');
    expect(await form(page).getByRole('textbox', { name: 'Key' }).inputValue()).toBe('ok');

    const actions = page.getByRole('button', { name: 'Actions', exact: true });
    if ((await actions.getAttribute('aria-expanded')) !== 'true') await actions.click();
    await add(page, 'Ask a person', 'Approve the order');
    expect(await who.inputValue()).toBe('members');
    await form(page).getByRole('button', { name: 'Add a field' }).click();
    await form(page).getByRole('textbox', { name: 'Label' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Is it much?');
    const key = form(page).getByRole('textbox', { name: 'Key' });
    await poll(() => key.inputValue()).toBe('isItMuch');
    await form(page).getByLabel('Type').selectOption({ label: 'Yes or no' });
    await form(page).getByRole('checkbox', { name: 'Required' }).check();
    await form(page).getByText('Preview of the form').click();
    const preview = form(page).getByRole('radiogroup', { name: 'Is it much?' });
    await preview.getByRole('radio', { name: 'Yes' }).check();
    await form(page).getByRole('button', { name: 'Submit' }).click();
    await form(page).getByText('Nothing was sent: this is a preview.').waitFor();
    await expectAccessible(page);

    await who.selectOption({ label: 'Certain people and roles' });
    const people = form(page).getByRole('combobox', { name: 'People and roles' });
    await people.click();
    await page.getByRole('option', { name: owner.email }).click();
    await people.fill('ada@example.org');
    await people.press('Enter');
    await people.press('Escape');
    await problems(page).getByText('No problems.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 2.').waitFor();
    const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes`);
    expect(body.nodes[1].inputs).toEqual({
      fields: [{ key: 'isItMuch', label: 'Is it much?', type: 'boolean', required: true }],
      submitters: ['owner', owner.email, 'ada@example.org'],
    });
    expect(complaints).toEqual([]);
  },
);

inBrowser('a schedule is said in words, with its next times in its zone', async () => {
  const { home, owner } = await homeWithOwner();
  const id = await home.deploy({
    ...{ slug: 'daily', managedByCode: false, name: 'Daily' },
    trigger: { id: 'trigger', type: 'schedule', config: { cron: '30 9 * * 1-5' } },
    nodes: [question('first', { fields: [{ key: 'ok', label: 'OK', type: 'boolean' }] })],
    edges: chain('trigger', 'first'),
  });
  const { page, complaints } = await openConsole(home.url, `/console/workflows/${id}/edit?node=trigger`);
  await logInThere(page, owner);
  const said = form(page).getByRole('status', { name: 'The schedule in words' });
  await said.getByText('At 09:30, Monday through Friday').waitFor();
  const times = form(page).getByRole('listitem').filter({ hasText: '09:30:00' });
  await poll(() => times.count()).toBe(5);
  expect(await times.first().textContent()).toContain('UTC');
  await form(page).getByRole('combobox', { name: 'Time zone' }).fill('tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await poll(() => times.first().textContent()).toContain('GMT+9');
  await expectAccessible(page);
  await form(page).getByRole('textbox', { name: 'Cron' }).fill('0 25 * * *');
  await form(page).getByText('The hour is 25, expected 0 to 23', { exact: true }).waitFor();
  await said.waitFor({ state: 'detached' });
  await form(page).getByRole('textbox', { name: 'Cron' }).fill('0 9 1 * *');
  await said.getByText('At 09:00, on day 1 of the month').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Published as version 2.').waitFor();
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=triggerNode`);
  expect(body.triggerNode.config).toEqual({ cron: '0 9 1 * *', timezone: 'Asia/Tokyo' });
  expect(complaints).toEqual([]);
});
