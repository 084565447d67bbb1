// test: long
import { describe, expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  expectAccessible,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { action, control, question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

describe('questions of an execution', () => {
  interface OpenQuestion {
    title: string;
    stepId: string;
  }

  const MANY = 5;
  const decision = [
    { key: 'approved', label: 'Approved', type: 'boolean', required: true },
    { key: 'comment', label: 'Comment', type: 'text', required: false },
  ];

  /** Opens an execution with many questions at once, one per item of a loop. */
  async function asking() {
    const { home, owner } = await homeWithOwner();
    const items = Array.from({ length: MANY }, (_, index) => index);
    const ask = question('ask', { title: 'Release {{ loop.item }}?', fields: decision }, { parentId: 'each' });
    const executionId = await home.execute(
      await home.deploy({ nodes: [control('each', 'forEach', { items, concurrency: MANY }), ask] }),
    );
    const { pendingInput } = await home.until(executionId, (execution) => execution.pendingInput?.length === MANY);
    const { page, complaints } = await openConsole(home.url, `/console/executions/${executionId}`);
    await logInThere(page, owner);
    const form = (title: string) => page.getByRole('region', { name: title });
    const titles: string[] = pendingInput.map(({ title }: OpenQuestion) => title);
    const stepIds = new Map<string, string>(pendingInput.map((each: OpenQuestion) => [each.title, each.stepId]));
    return { home, page, complaints, form, titles, stepIds, executionId };
  }

  inBrowser('shows three of many questions above the graph, and the others on request', async () => {
    const { page, complaints, form, titles } = await asking();
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = titles;
    await form(third).waitFor();
    await page.getByText('2 more questions are open.').waitFor();
    expect(await form(fourth).count()).toBe(0);
    await expectAccessible(page);

    await form(first).getByText('Yes', { exact: true }).click();
    await form(first).getByRole('button', { name: 'Submit' }).click();
    await form(fourth).waitFor();
    await form(first).waitFor({ state: 'detached' });
    await page.getByText('1 more question is open.').waitFor();

    await page.getByRole('button', { name: 'Show 1 more' }).click();
    await form(fifth).waitFor();
    await page.waitForFunction(`document.activeElement?.textContent === ${JSON.stringify(fifth)}`);
    expect(await form(second).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  inBrowser('a form with input stays when another person answers, and reports that', async () => {
    const { home, complaints, form, titles, stepIds, executionId } = await asking();
    const [first = '', second = ''] = titles;
    await form(first).getByLabel('Comment').fill('the third pallet is wet');
    for (const title of [first, second]) {
      await home.submit(executionId, 'ask', { approved: true }, stepIds.get(title), home.api);
    }
    await form(second).waitFor({ state: 'detached' });
    await form(first)
      .getByRole('alert')
      .getByText(/^This was already answered, by .+ Your text is still here\.$/)
      .waitFor();
    expect(await form(first).getByLabel('Comment').inputValue()).toBe('the third pallet is wet');
    expect(await form(first).getByLabel('Comment').isDisabled()).toBe(true);
    expect(complaints).toEqual([]);
  });

  inBrowser('one of many choices is found by typing, by keyboard alone', async () => {
    const { home, owner } = await homeWithOwner();
    const countries = ['AT', 'BE', 'BG', 'CH', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'];
    const options = countries.map((value) => ({ value, label: `Country ${value}` }));
    const fields = [{ key: 'to', label: 'Send to', type: 'select', required: true, options }];
    const executionId = await home.execute(
      await home.deploy({ nodes: [question('ask', { title: 'Where to?', fields })] }),
    );
    await home.asked(executionId, 'ask');
    const { page, complaints } = await openConsole(home.url, `/console/executions/${executionId}`);
    await logInThere(page, owner);
    await page.getByRole('region', { name: 'Where to?' }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('This is needed.').waitFor();
    await page.getByRole('combobox', { name: 'Send to' }).focus();
    await page.keyboard.type('fi');
    await page.getByRole('option', { name: 'Country FI' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    expect((await home.ended(executionId)).output).toMatchObject({ to: 'FI' });
    expect(complaints).toEqual([]);
  });
});

describe('closed questions', () => {
  const fields = [{ key: 'approved', label: 'Approved', type: 'boolean', required: true }];

  /** Creates a question with an expiry and returns its link; `goesOn`: an expired question has a way of its own. */
  async function linkOf(home: Home, expiresInMs: number, goesOn = false) {
    const ask = question('ask', { title: 'May it go?', fields, expiresInMs }, { name: 'Release' });
    const late = action('late', 'core.set', { values: { answered: false } });
    const executionId = await home.execute(
      await home.deploy({
        name: 'Shipping',
        nodes: goesOn ? [ask, late] : [ask],
        edges: goesOn ? [{ id: 'e', source: 'ask', target: 'late', sourceHandle: 'expired' }] : [],
      }),
    );
    const { pendingInput } = await home.asked(executionId, 'ask');
    return { executionId, link: `/console/inbox?question=${executionId}/${pendingInput[0].stepId}` };
  }

  inBrowser('the link of a question whose time is over says so, names it, and leads to what became of it', async () => {
    const { home, owner } = await homeWithOwner();
    const open = await linkOf(home, 60_000);
    const [failed, gone] = [await linkOf(home, 500), await linkOf(home, 500, true)];
    for (const { executionId } of [failed, gone]) await home.ended(executionId);
    const { page, complaints } = await openConsole(home.url, open.link);
    await logInThere(page, owner);
    await page.getByText(/^Expires \d+:\d\d$/).waitFor();
    for (const { executionId, link } of [failed, gone]) {
      await page.goto(new URL(link, home.url).href);
      const said = page.getByRole('alert');
      await said.getByText('This question has expired without an answer.').waitFor();
      await said.getByText('Release').waitFor();
      expect(await said.getByRole('link').getAttribute('href')).toBe(`/console/executions/${executionId}`);
    }
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  });

  inBrowser('a form reports that its time ended during the input', async () => {
    const { home, owner } = await homeWithOwner();
    const { page } = await openConsole(home.url, '/console/login');
    await logInThere(page, owner);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const { link, executionId } = await linkOf(home, 4_000);
    await page.goto(new URL(link, home.url).href);
    await page.getByRole('heading', { name: 'May it go?' }).waitFor();
    await home.ended(executionId);
    const form = page.getByRole('region', { name: 'May it go?' });
    await form.getByText('expired without an answer').waitFor();
    await form.getByText('Expired', { exact: true }).waitFor();
  });

  inBrowser('the link of a question of another workspace is not said to be closed', async () => {
    const { home } = await homeWithOwner();
    const { link } = await linkOf(home, 60_000);
    const other = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, link);
    await logInThere(page, other.owner);
    await page.getByText(/^This question does not exist in .*It may be in another workspace, or deleted\.$/).waitFor();
    expect(await page.getByText('This question is closed').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('several questions at once', () => {
  const fields = [
    { key: 'approved', label: 'Approved', type: 'boolean', required: true },
    { key: 'comment', label: 'Comment', type: 'text', required: false },
  ];

  inBrowser('answers equal questions together: counts them first, and lists refusals', async () => {
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
    await form.getByText('This is needed.').waitFor();
    await form.getByText('Yes', { exact: true }).click();
    await form.getByLabel('Comment').fill('all fine');
    await all.click();
    const dialog = page.getByRole('dialog', { name: 'Answer 3 questions like this?' });
    await dialog.getByText('Comment: all fine').waitFor();
    await expectAccessible(page);
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
});
