import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../setup/browser/chromium.ts';
import {
  ALL_VIEWS_MS,
  expectAccessibleInAll,
  logInThere,
  openConsole,
  withBrowser,
} from '../setup/browser/consolePage.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { action, chain, control, manual, question } from '../setup/workspace/graph.ts';
import { type Home, homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

const decision = [
  { key: 'approved', label: 'Approved', type: 'boolean', required: true },
  { key: 'comment', label: 'Comment', type: 'text', required: false },
];
const orderForm = manual({ key: 'order', label: 'Order', type: 'text', required: true });

const expense = {
  slug: 'expense',
  name: 'Expense',
  labels: { order: '{{ trigger.order }}' },
  trigger: orderForm,
  nodes: [
    question('check', { title: 'Is the receipt right?', fields: decision, submitters: 'members' }, { name: 'Receipt' }),
    question(
      'approval',
      {
        title: 'Ada asks for 42.50',
        instructions: 'Travel to the customer.',
        fields: decision,
        submitters: 'members',
        expiresInMs: 1_800_000,
      },
      { name: 'Approve the expense' },
    ),
    action('result', 'core.set', { values: { approved: '{{ steps.approval.output.approved }}' } }),
  ],
  edges: chain('check', 'approval', 'result'),
  output: '{{ steps.result.output }}',
};

const list = (page: Page, name: string) => page.getByRole('list', { name });

inBrowser('on a phone a link opens the decision with its context, and two taps answer it', async () => {
  const { home, owner } = await homeWithOwner();
  const workflowId = await home.deploy(expense);
  const executionId = await home.execute(workflowId, { order: 'A-1042' });
  await home.asked(executionId, 'check');
  await home.submit(executionId, 'check', { approved: true, comment: 'signed' }, undefined, home.api);
  const { pendingInput } = await home.asked(executionId, 'approval');
  const path = `/console/inbox?question=${executionId}/${pendingInput[0].stepId}`;
  const { page, complaints } = await openConsole(home.url, path, { width: 390 });
  await logInThere(page, owner);
  await page.getByRole('heading', { name: 'Ada asks for 42.50' }).waitFor();
  await page.getByText('Travel to the customer.').waitFor();
  await page.getByText('A-1042').waitFor();
  await page.getByText(/The API key .* started it/).waitFor();
  await page.getByText(/^Expires \d+:\d\d$/).waitFor();
  await page.getByText('Receipt · Approved: Yes · Comment: signed').waitFor();
  expect(await list(page, 'Open questions').isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Yes' }).click();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  expect((await home.ended(executionId)).output).toMatchObject({ approved: true });
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await page.getByText('No open questions.').waitFor();
  expect(complaints).toEqual([]);
});

const FIFTY = 50;

inBrowser('fifty questions are answered without a mouse', async () => {
  const { home, owner } = await homeWithOwner();
  const items = Array.from({ length: FIFTY }, (_, index) => index);
  const ask = question('ask', { title: 'Release {{ loop.item }}?', fields: decision }, { parentId: 'each' });
  const executionId = await home.execute(
    await home.deploy({ nodes: [control('each', 'forEach', { items, concurrency: FIFTY }), ask] }),
  );
  await home.until(executionId, ({ pendingInput }) => pendingInput?.length === FIFTY);
  const { page, complaints } = await openConsole(home.url, '/console/inbox');
  await logInThere(page, owner);
  const rows = list(page, 'Open questions').getByRole('link');
  await rows.nth(FIFTY - 1).waitFor();
  const first = await rows.first().getAttribute('data-entry');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await page.locator(':focus').getAttribute('data-entry')).toBe(first);
  await page.keyboard.press('Enter');
  const seen = new Set<string>();
  // The first is skipped and comes back last.
  const inForm = async (before: string) => {
    await page.waitForURL(({ search }) => search !== before);
    await page.locator('input[type=radio]:focus').waitFor();
  };
  const here = () => new URL(page.url()).search;
  await inForm('');
  const skipped = here();
  // Letters are not shortcuts while a control of a form has the focus.
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await inForm(skipped);
  for (let count = 1; count <= FIFTY; count += 1) {
    const before = here();
    seen.add(before);
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
    if (count < FIFTY) await inForm(before);
  }
  expect(seen.size).toBe(FIFTY);
  const { status, executionPath } = await home.ended(executionId);
  expect([status, executionPath.length]).toEqual(['COMPLETED', FIFTY + 1]);
  await page.getByText('No open questions.').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser(
  'Yes and No are one stop of Tab, letters stay in the form, and Enter on the open entry returns to it',
  async () => {
    const { home, owner } = await homeWithOwner();
    const id = await home.deploy({ nodes: [question('ask', { title: 'Pay Bob?', fields: decision })] });
    for (const executionId of [await home.execute(id), await home.execute(id)]) await home.asked(executionId, 'ask');
    const { page, complaints } = await openConsole(home.url, '/console/inbox');
    await logInThere(page, owner);
    const rows = list(page, 'Open questions').getByRole('link');
    await rows.nth(1).waitFor();
    const radio = (name: string) => page.getByRole('radio', { name }).and(page.locator(':focus'));
    await rows.first().focus();
    await page.keyboard.press('Enter');
    await radio('Yes').waitFor();
    const address = page.url();
    await page.keyboard.press('Escape');
    await rows.first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await radio('Yes').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('Not submitted. Check: Approved').waitFor();
    await radio('Yes').waitFor();
    await page.keyboard.type('enjoys');
    await radio('Yes').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await radio('No').waitFor();
    expect(await radio('No').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.getByLabel('Comment').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Submit', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('jkc');
    expect(page.url()).toBe(address);
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'what was written is kept, without secrets; an answer of somebody else closes the form and leaves it',
  async () => {
    const { home, owner } = await homeWithOwner();
    const fields = [...decision, { key: 'pin', label: 'PIN', type: 'secret', required: false }];
    const executionId = await home.execute(
      await home.deploy({ nodes: [question('ask', { title: 'Pay Bob?', fields, submitters: 'members' })] }),
    );
    await home.asked(executionId, 'ask');
    const { page, complaints } = await openConsole(home.url, '/console/inbox?mine=true');
    await logInThere(page, owner);
    await list(page, 'Open questions')
      .getByRole('link', { name: /Pay Bob/ })
      .click();
    await page.getByLabel('Comment').fill('Bob has moved');
    await page.getByLabel('PIN').fill('quite-a-secret');
    await page.getByText('Draft saved in this browser').waitFor();
    await page.reload();
    await page.getByText('Draft saved in this browser').waitFor();
    expect(await page.getByLabel('Comment').inputValue()).toBe('Bob has moved');
    expect(await page.getByLabel('PIN').inputValue()).toBe('');
    const { origins } = await page.context().storageState();
    expect(JSON.stringify(origins)).toContain('Bob has moved');
    expect(JSON.stringify(origins)).not.toContain('quite-a-secret');
    await home.submit(executionId, 'ask', { approved: false }, undefined, home.api);
    await page.getByText(/This was already answered, by .*\. Your text is still here\./).waitFor();
    expect(await page.getByLabel('Comment').inputValue()).toBe('Bob has moved');
    expect(await page.getByRole('button', { name: 'Submit', exact: true }).isDisabled()).toBe(true);
    await page.getByText('No open questions that you can answer.').waitFor();
    expect(complaints).toEqual([]);
  },
);

async function askingAgent(home: Home) {
  const tools = [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }] as never;
  const agents = await agentHomeOn(home, stackDatabase(), { tools });
  agents.provider.answerBy(({ body: { messages } }) =>
    messages.at(-1)?.role === 'tool'
      ? say('Done.')
      : callTools({ id: 'c1', name: 'testing_succeed', arguments: { output: { refund: 42.5 } } }),
  );
  return agents;
}

inBrowser('a call of a tool is approved or denied with a reason', async () => {
  const { home, owner } = await homeWithOwner();
  const agents = await askingAgent(home);
  const partsOf = async (task: string) => JSON.stringify((await agents.messages(task)).map(({ parts }) => parts));
  for (const task of ['one', 'two']) await agents.send(task, 'Refund it');
  const { page, complaints } = await openConsole(home.url, '/console/inbox');
  await logInThere(page, owner);
  const rows = list(page, 'Approvals').getByRole('link');
  await rows.nth(1).waitFor();
  await page.goto(`${new URL(page.url()).href.split('?')[0]}?approval=two`);
  // The catalogue's name, next to the name that the model called.
  await page.getByRole('group', { name: 'Decision about Testing: Succeed' }).getByText('testing_succeed').waitFor();
  await page.getByRole('definition').getByText('42.5', { exact: true }).waitFor();
  await page.getByLabel(/^Reason/).fill('Bob was paid already');
  await page.getByRole('button', { name: 'Deny' }).click();
  await agents.untilTurn('two', ({ status }) => status === 'COMPLETED');
  expect(await partsOf('two')).toContain('Bob was paid already');
  await rows.nth(1).waitFor({ state: 'detached' });
  await rows.first().click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await agents.untilTurn('one', ({ status }) => status === 'COMPLETED');
  await page.getByText('No agent is waiting for an approval.').waitFor();
  expect(await partsOf('one')).toContain('output-available');
  expect(complaints).toEqual([]);
});

inBrowser(
  'a task whose agent asks again after an answer is listed again, with a form for what it asks now',
  async () => {
    const { home, owner } = await homeWithOwner();
    const tools = [{ appId: 'testing', actionId: 'succeed', policy: 'approve' }] as never;
    const agents = await agentHomeOn(home, stackDatabase(), { tools });
    const call = (id: string, refund: number) =>
      callTools({ id, name: 'testing_succeed', arguments: { output: { refund } } });
    agents.provider.answer(call('c1', 42.5), call('c2', 77.25), say('Done.'));
    await agents.send('one', 'Refund both');
    const { page, complaints } = await openConsole(home.url, '/console/inbox');
    await logInThere(page, owner);
    await list(page, 'Approvals').getByRole('link').click();
    await page.getByRole('definition').getByText('42.5', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('definition').getByText('77.25', { exact: true }).waitFor();
    await list(page, 'Approvals').getByRole('link').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await agents.untilTurn('one', ({ status }) => status === 'COMPLETED');
    await page.getByText('No agent is waiting for an approval.').waitFor();
    expect(complaints).toEqual([]);
  },
);

async function refunds(home: Home, ...externalIds: string[]): Promise<string> {
  const made = await home.api('POST', `/api/queues?projectId=${home.projectId}`, {
    body: { name: 'Refunds', maxRetries: 0 },
  });
  const path = `/api/queues/${made.body.id}`;
  for (const externalId of externalIds) {
    await home.api('POST', `${path}/items`, { body: { externalId, data: { amount: 49.9, paid: false } } });
  }
  return path;
}

inBrowser(
  'items of a queue are claimed and ended by keyboard; a lost lease locks the form and keeps the text',
  async () => {
    const { home, owner } = await homeWithOwner();
    const path = await refunds(home, 'order-1', 'order-2', 'order-3', 'order-4');
    const { page, complaints } = await openConsole(home.url, '/console/inbox');
    await logInThere(page, owner);
    await page.getByRole('button', { name: 'Claim next' }).waitFor();
    await page.getByText('Refunds (4 items wait)').waitFor({ state: 'attached' });
    const claim = async (name: string) => {
      await page.keyboard.press('c');
      await page.getByRole('heading', { name: `Item ${name}` }).waitFor();
      await page.getByText('49.9').waitFor();
      await page.locator('textarea:focus').waitFor();
    };
    await claim('order-1');
    await page.keyboard.type('paid by hand');
    await page.keyboard.press('Control+Enter');
    await list(page, 'Queue items').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await claim('order-2');
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByText('Enter why it failed.').waitFor();
    await page.keyboard.type('No such account');
    await page.getByRole('button', { name: 'Fail' }).click();
    await page.getByText('Error recorded. The item is now Failed.').waitFor();
    await claim('order-3');
    const { body } = await home.api('GET', `${path}/items?filterBy=status:PROCESSING&expansion=lease`);
    const [held] = body.items;
    expect(held.lease.worker).toMatch(/^console\//);
    await page.keyboard.type('half of it');
    // Somebody else releases the item, and the page receives the event.
    await home.api('PATCH', `${path}/items/${held.id}/status`, { body: { status: 'PENDING' } });
    await page.getByText(/^You no longer hold this item/).waitFor();
    expect(await page.getByLabel('Note or reason').inputValue()).toBe('half of it');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('heading', { name: 'Item order-3' }).waitFor({ state: 'detached' });
    const { body: all } = await home.api('GET', `${path}/items?expansion=history,errorHistory`);
    const byId = Object.fromEntries(all.items.map((item: { externalId: string }) => [item.externalId, item]));
    expect(byId['order-1']).toMatchObject({
      status: 'COMPLETED',
      history: expect.arrayContaining([expect.objectContaining({ note: 'paid by hand' })]),
    });
    expect(byId['order-2']).toMatchObject({ status: 'FAILED', lastError: 'No such account' });
    expect(byId['order-3']).toMatchObject({ status: 'PENDING' });
    expect(complaints).toEqual([]);
  },
);

inBrowser(
  'the inbox is accessible in light and dark, wide and narrow',
  async () => {
    const { home, owner } = await homeWithOwner();
    const executionId = await home.execute(await home.deploy(expense), { order: 'A-1042' });
    const { pendingInput } = await home.asked(executionId, 'check');
    await (await askingAgent(home)).send('one', 'Refund it');
    await refunds(home, 'order-1');
    const { page, complaints } = await openConsole(home.url, '/console/inbox');
    await logInThere(page, owner);
    await list(page, 'Open questions').getByRole('link').waitFor();
    await list(page, 'Approvals').getByRole('link').waitFor();
    await expectAccessibleInAll(page);
    await page.getByRole('button', { name: 'Claim next' }).click();
    await page.getByText('49.9').waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL('/console/inbox?approval=one', home.url).href);
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    await expectAccessibleInAll(page);
    await page.goto(new URL(`/console/inbox?question=${executionId}/${pendingInput[0].stepId}`, home.url).href);
    await page.getByRole('radio', { name: 'Yes' }).waitFor();
    await page.getByText('A-1042').waitFor();
    await expectAccessibleInAll(page);
    expect(complaints).toEqual([]);
  },
  ALL_VIEWS_MS,
);
