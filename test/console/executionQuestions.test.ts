// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { control, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';

withBrowser();

interface OpenQuestion {
  title: string;
  stepId: string;
}

const MANY = 5;
const decision = [
  { key: 'approved', label: 'Approved', type: 'boolean', required: true },
  { key: 'comment', label: 'Comment', type: 'text', required: false },
];

/** The page of an execution that asks so many at once, one for each item of a loop. */
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
  /** In the order of the page, which is that of the questions. */
  const titles: string[] = pendingInput.map(({ title }: OpenQuestion) => title);
  const stepIds = new Map<string, string>(pendingInput.map((each: OpenQuestion) => [each.title, each.stepId]));
  return { home, page, complaints, form, titles, stepIds, executionId };
}

inBrowser('of many questions three stand above the graph, and the others come when they are asked for', async () => {
  const { page, complaints, form, titles } = await asking();
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = titles;
  await form(third).waitFor();
  await page.getByText('2 more questions are open.').waitFor();
  expect(await form(fourth).count()).toBe(0);
  await expectAccessible(page);

  // An answer makes room for the next.
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

inBrowser('a form that somebody writes in stays when another person has answered it, and says so', async () => {
  const { home, complaints, form, titles, stepIds, executionId } = await asking();
  const [first = '', second = ''] = titles;
  await form(first).getByLabel('Comment').fill('the third pallet is wet');
  for (const title of [first, second]) {
    await home.submit(executionId, 'ask', { approved: true }, stepIds.get(title), home.api);
  }
  // The one that nobody wrote in goes.
  await form(second).waitFor({ state: 'detached' });
  await form(first)
    .getByRole('alert')
    .getByText(/^This was already answered, by .+ What you wrote is still here\.$/)
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
