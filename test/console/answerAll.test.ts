// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

const fields = [
  { key: 'approved', label: 'Approved', type: 'boolean', required: true },
  { key: 'comment', label: 'Comment', type: 'text', required: false },
];

inBrowser('questions that are alike are answered at once: counted before, and what is refused is named', async () => {
  const { home, owner } = await homeWithOwner();
  const expense = await home.deploy({
    ...{ slug: 'expense', name: 'Expense' },
    nodes: [question('approval', { title: 'Approve the expense', fields, submitters: 'members' })],
  });
  const other = await home.deploy({
    ...{ slug: 'other', name: 'Other' },
    nodes: [question('approval', { title: 'Approve something else', fields, submitters: 'members' })],
  });
  const ask = async (workflowId: string) => {
    const id = await home.execute(workflowId);
    await home.asked(id, 'approval');
    return id;
  };
  const asking: string[] = [];
  for (let count = 0; count < 3; count += 1) asking.push(await ask(expense));
  const elsewhere = await ask(other);
  const { page, complaints } = await openConsole(home.url, '/console/inbox');
  await logInThere(page, owner);
  const list = page.getByRole('list', { name: 'Open questions' });
  await list
    .getByRole('link', { name: /Approve the expense/ })
    .first()
    .click();
  const form = page.getByRole('region', { name: 'Approve the expense' });
  const all = form.getByRole('button', { name: 'Answer all like this (3)…' });
  await all.click();
  // What is missing is asked for first.
  await form.getByText('This is needed.').waitFor();
  await form.getByText('Yes', { exact: true }).click();
  await form.getByLabel('Comment').fill('all fine');
  await all.click();
  const dialog = page.getByRole('dialog', { name: 'Answer 3 questions like this?' });
  await dialog.getByText('Comment: all fine').waitFor();
  await expectAccessible(page);
  // Somebody else is quicker with one of them.
  const [first = '', ...rest] = asking;
  await home.submit(first, 'approval', { approved: false }, undefined, home.api);
  await dialog.getByRole('button', { name: 'Answer 3' }).click();
  await page.getByText('Answered 2 questions.').waitFor();
  await page.getByText('1 question was not answered').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: /^#1 / }).waitFor();
  await expectAccessible(page);
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await list
    .getByRole('link', { name: /Approve the expense/ })
    .first()
    .waitFor({ state: 'detached' });
  await list.getByRole('link', { name: /Approve something else/ }).waitFor();
  for (const id of rest) {
    const { executionPath } = await home.ended(id);
    expect(executionPath[0].output).toMatchObject({ approved: true, comment: 'all fine' });
  }
  expect((await home.asked(elsewhere, 'approval')).status).toBe('NEEDS_INPUT');
  expect(complaints).toEqual([]);
});
