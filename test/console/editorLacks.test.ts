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
import { addField, addValue, form, node, problems, tabTo, write } from '../setup/browser/editorPage.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

inBrowser(
  'what was just added is not reproached with what it lacks before one has left its fields or saves',
  async () => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/workflows/new');
    await logInThere(page, owner);
    const action = (name: string) => page.locator('.editor-palette').getByRole('button', { name, exact: true }).first();
    const needed = form(page).getByText('This is needed.');
    const listed = (name: string) => problems(page).getByRole('button', { name, exact: true });
    await problems(page).getByText('2 fields to fill in').waitFor();
    expect(await needed.count()).toBe(0);
    // The Name was left empty.
    await form(page).getByRole('textbox', { name: 'Name', exact: true }).focus();
    await tabTo(page, 'Slug');
    await needed.waitFor();
    await write(page, 'Name', 'Price an order');
    await needed.waitFor({ state: 'detached' });

    await action('Set fields').click();
    await form(page).getByRole('heading', { name: 'Set fields' }).waitFor();
    await problems(page).getByText('1 field to fill in').waitFor();
    await listed('Set fields: Fields: This is needed.').waitFor();
    expect(await needed.count()).toBe(0);
    expect(await node(page, 'Set fields').getByText('1', { exact: true }).count()).toBe(0);
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It cannot be saved with these problems.').waitFor();
    await needed.waitFor();
    await problems(page).getByText('1 problem').waitFor();
    await node(page, 'Set fields').getByText('1', { exact: true }).waitFor();
    await addValue(page, 'net', '3');
    await problems(page).getByText('No problems.').waitFor();

    // Left for another form, its node says so from then on.
    await action('Wait').click();
    await form(page).getByRole('heading', { name: 'Wait' }).waitFor();
    await write(page, 'For', '');
    await listed('Wait: Fill in one of these: For, Until.').waitFor();
    await action('Ask a person').click();
    await form(page).getByRole('heading', { name: 'Ask a person' }).waitFor();
    await node(page, 'Wait').getByText('1', { exact: true }).waitFor();
    await addField(page, 'size', 'One of several');
    await listed('Ask a person: Form fields 1, Options: This is needed.').waitFor();
    // Of the code it speaks as the code does.
    await page.getByRole('tab', { name: 'Code' }).click();
    await problems(page).getByText('Ask a person: inputs.fields[0].options').waitFor();
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
