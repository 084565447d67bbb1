// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { problems } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const failing = (message: string) => ({ nodes: [action('pay', 'testing.fail', { message, retryable: false })] });

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)('the first page says what fails and leads to it: %s, %i wide', async (scheme, width) => {
  const { home, owner } = await homeWithOwner();
  const refunds = await home.deploy({ ...failing('None is left'), slug: 'refunds', name: 'Refunds' });
  for (const _ of [1, 2, 3]) await home.ended(await home.execute(refunds));
  // The first was yesterday and took a fifth of the time.
  await stackDatabase().$executeRaw`
    UPDATE executions SET started_at = started_at - CASE number WHEN 1 THEN interval '36 hours' ELSE interval '0' END,
      stopped_at = started_at + CASE number WHEN 1 THEN interval '-36 hours 20 seconds' ELSE interval '100 seconds' END
    WHERE workflow_id = ${refunds}::uuid`;
  await home.run({ nodes: [action('set', 'core.set', { values: { a: 1 } })] });
  const { page, complaints } = await openConsole(home.url, '/console/', { scheme, width });
  await logInThere(page, owner);
  const failures = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Failing' }) });
  await failures.getByRole('link', { name: '2 executions failed in 24 hours' }).waitFor();
  await page.getByRole('cell', { name: '1 completed, 2 failed' }).waitFor({ state: 'attached' });
  // A day ends at the hour at which it starts: each hour has a unique name.
  const hours = await page.locator('.outcomes').getByRole('rowheader').allTextContents();
  expect(hours.length).toBeGreaterThan(23);
  expect(new Set(hours).size).toBe(hours.length);
  const slow = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Slowest, last 24 hours' }) });
  await slow.getByRole('row', { name: /^Refunds .*1 m 40 s was 20 s$/ }).waitFor();
  await expectAccessible(page);
  // Retries all executions with this error that were not retried yet. The dialog shows how many.
  await failures.getByRole('button', { name: 'Retry these: TEST_FAILURE' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry 2 executions?' });
  await dialog.getByText('Executions that failed with TEST_FAILURE.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByText('Done: 2 executions.').waitFor();
  await page.keyboard.press('Escape');
  // Errors of the week: the one from yesterday, and the two retries.
  const failed = () => home.api('GET', `/api/executions/counts?filterBy=workflowId:${refunds}`);
  await poll(async () => (await failed()).body.FAILED, { timeout: 60_000 }).toBe(5);
  // While a retry is open, its original does not count as failing. The page reads statistics twice a minute.
  await page.reload();
  await failures.getByRole('row', { name: /^Refunds/ }).waitFor();
  await slow.getByRole('link', { name: 'Refunds' }).click();
  const errors = page.getByRole('region', { name: 'Errors of the last 7 days' });
  await errors.getByRole('button', { name: 'Retry these: TEST_FAILURE' }).click();
  await page
    .getByRole('dialog', { name: 'Retry 3 executions?' })
    .getByRole('button', { name: 'Leave as it is' })
    .click();
  await expectAccessible(page);
  await page.goBack();
  await failures
    .getByRole('row', { name: /^Refunds/ })
    .getByRole('link')
    .click();
  await page.getByRole('table', { name: 'Executions' }).getByRole('link', { name: '#2' }).waitFor();
  expect(new URL(page.url()).searchParams.get('workflow')).toBe(refunds);
  expect(complaints).toEqual([]);
});

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)('one field leads to anything by its name or number: %s, %i wide', async (scheme, width) => {
  const { home, owner } = await homeWithOwner();
  const refunds = await home.deploy({ ...failing('None is left'), slug: 'refunds', name: 'Refunds' });
  const executionId = await home.execute(refunds);
  await home.ended(executionId);
  await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Refunds to check' } });
  const { page, complaints } = await openConsole(home.url, '/console/', { scheme, width });
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Failing' }).waitFor();
  const find = async (phrase: string, option: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    const field = page.getByRole('combobox', { name: 'Name, #number, label or id' });
    await field.fill(phrase);
    await page.getByRole('option', { name: option, exact: true }).waitFor();
    return field;
  };
  await find('refu', 'Refunds to check');
  await page.getByRole('group', { name: 'Workflows' }).getByRole('option', { name: 'Refunds', exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('option', { name: 'Refunds to check' }).click();
  await page.getByRole('heading', { name: 'Refunds to check' }).waitFor();
  await find('#1', '#1 Refunds');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/executions/${executionId}`);
  await find('audit', 'Settings: Audit log');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/settings/audit');
  await find(executionId, `The execution ${executionId}`);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Jump to' }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'a time without failures leads to a longer one, which the address keeps: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const refunds = await home.deploy({ ...failing('None is left'), slug: 'refunds', name: 'Refunds' });
    await home.ended(await home.execute(refunds));
    await stackDatabase().$executeRaw`
    UPDATE executions SET started_at = started_at - interval '3 days', stopped_at = stopped_at - interval '3 days'
    WHERE workflow_id = ${refunds}::uuid`;
    const { page, complaints } = await openConsole(home.url, '/console/', { scheme, width });
    await logInThere(page, owner);
    const failures = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Failing' }) });
    await failures.getByText('Nothing failed in 24 hours.').waitFor();
    await expectAccessible(page);
    const week = failures.getByRole('link', { name: 'Show 7 days' });
    await week.focus();
    await page.keyboard.press('Enter');
    await failures.getByRole('link', { name: '1 execution failed in 7 days' }).waitFor();
    await week.and(page.locator('[aria-current=page]:focus')).waitFor();
    await expectAccessible(page);
    await page.reload();
    await failures.getByRole('link', { name: '1 execution failed in 7 days' }).click();
    await page.getByRole('table', { name: 'Executions' }).getByRole('link', { name: '#1' }).waitFor();
    if (width === 390) await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByLabel('Started').selectOption('24h');
    await page.getByText('No execution matches these filters.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show 7 days' }).click();
    await page.getByRole('table', { name: 'Executions' }).getByRole('link', { name: '#1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('since')).toBe('7d');
    expect(complaints).toEqual([]);
  },
);

inBrowser('the palette opens the form of a new thing, and keeps the keys that are typed at once', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/executions');
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Executions' }).waitFor();
  const create = async (label: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(label);
    await page.getByRole('group', { name: 'Create' }).getByRole('option', { name: label, exact: true }).waitFor();
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe(label);
    await page.keyboard.press('Enter');
  };
  const dialogs = [
    ['New queue', 'New queue'],
    ['New agent', 'New agent'],
    ['New entity type', 'Add a type'],
    ['New knowledge base', 'New knowledge base'],
    ['New connection', 'Connect an app'],
    ['New variable', 'Add a variable'],
  ] as const;
  for (const [label, title] of dialogs) {
    await create(label);
    await page.getByRole('dialog', { name: title }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('new')).toBeNull();
  }
  // The empty page says what a variable is for, and leads to the same form.
  await page.getByRole('button', { name: 'Create the first variable' }).click();
  await page.getByRole('dialog', { name: 'Add a variable' }).waitFor();
  await page.keyboard.press('Escape');
  await create('New workflow');
  await page.getByRole('heading', { name: 'New workflow' }).waitFor();
  expect(complaints).toEqual([]);
});

inBrowser.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'an empty workspace offers an example, the templates and an empty editor: %s, %i wide',
  async (scheme, width) => {
    const { home, owner } = await homeWithOwner();
    const { page, complaints } = await openConsole(home.url, '/console/', { scheme, width });
    await logInThere(page, owner);
    const begin = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Get started' }) });
    await begin.getByText('Perdure runs workflows that must not get lost').waitFor();
    await begin.getByRole('link', { name: 'Connect an app' }).waitFor();
    await begin.getByRole('link', { name: 'Invite people' }).waitFor();
    await expectAccessible(page);
    await begin.getByRole('link', { name: 'Start empty' }).click();
    await page.getByRole('heading', { name: 'New workflow' }).waitFor();
    await page.goBack();
    await begin.getByRole('link', { name: 'Start from a template' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await expectAccessible(page);
    const use = (title: string) => page.getByRole('button', { name: `Use this template: ${title}` });
    expect(complaints).toEqual([]);
    await use('The order desk').click();
    await page.waitForURL('**/edit');
    const listed = async (path: string, field: string): Promise<string[]> =>
      (await home.api('GET', `${path}?expansion=${field}`)).body
        .map((each: Record<string, string>) => each[field])
        .sort();
    expect(await listed('/api/queues', 'slug')).toEqual(['orders', 'orders-to-review']);
    expect(await listed('/api/object-types', 'slug')).toEqual(['desk-order']);
    // The second copy uses the same queues and gets a name of its own.
    await page.goto(new URL('/console/templates', home.url).href);
    await use('The order desk').click();
    await page.waitForURL('**/edit');
    expect(await listed('/api/workflows', 'name')).toEqual(['The order desk', 'The order desk 2']);
    expect(await listed('/api/queues', 'slug')).toEqual(['orders', 'orders-to-review']);
    await page.goto(new URL('/console/templates', home.url).href);
    await use('An agent in a workflow').click();
    await page.waitForURL('**/edit');
    expect(await listed('/api/agents', 'slug')).toEqual(['example-triage']);
    await problems(page).getByText('No problems.').waitFor();
    await page.goto(new URL('/console/', home.url).href);
    await page.getByText('Nothing is running.').waitFor();
    await begin.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  },
);

inBrowser('an empty workspace runs the example, which waits for an approval', async () => {
  const { home, owner } = await homeWithOwner();
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  await page.getByRole('button', { name: 'Run an example' }).click();
  await page.waitForURL('**/edit**');
  await poll(async () => (await home.api('GET', '/api/pending-inputs')).body.length).toBe(1);
  const run = page.getByRole('region', { name: 'Run of the draft' });
  await run.getByText('Needs input').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('inbox count and home page distinguish questions for the user from those for others', async () => {
  const { home, owner } = await homeWithOwner();
  const fields = [{ key: 'approved', label: 'Approved', type: 'boolean' as const, required: true }];
  const asked = async (title: string, submitters: string | string[]) => {
    const executionId = await home.execute(
      await home.deploy({ nodes: [question('ask', { title, fields, submitters })] }),
    );
    await home.asked(executionId, 'ask');
    return executionId;
  };
  const mine = await asked('Mine to decide', 'members');
  await asked('Theirs', ['viewer']);
  await asked('Theirs as well', ['viewer']);
  const { page, complaints } = await openConsole(home.url, '/console/');
  await logInThere(page, owner);
  const needs = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Needs you' }) });
  await needs.getByRole('link', { name: 'Mine to decide' }).waitFor();
  await needs.getByRole('link', { name: '2 questions wait for others.' }).waitFor();
  expect(await needs.getByText('Theirs').count()).toBe(0);
  const inbox = page.getByRole('navigation').getByRole('link', { name: /^Inbox/ });
  await poll(() => inbox.textContent()).toBe('Inbox1');
  await expectAccessible(page);
  await home.submit(mine, 'ask', { approved: true }, undefined, home.api);
  await needs.getByText('Nothing needs you.').waitFor();
  await needs.getByRole('link', { name: '2 questions wait for others.' }).waitFor();
  await poll(() => inbox.textContent()).toBe('Inbox');
  expect(complaints).toEqual([]);
});
