// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { add, addValue, form, node, problems, write } from '../setup/browser/editorPage.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { agentHomeOn } from '../setup/workspace/agentHome.ts';
import { action, control } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

inBrowser(
  'an item of a queue starts its workflow, which retries, takes the error route, and ends the item',
  async () => {
    const { home, owner } = await homeWithOwner();
    const shop = await loopback((_, response) => void response.destroy());
    const { page, complaints } = await openConsole(home.url, '/console/queues');
    await logInThere(page, owner);
    const go = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New queue' }).first().click();
    await dialog.getByLabel('Name').fill('Refunds');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Refunds' }).waitFor();

    await go('Workflows');
    await page.getByRole('link', { name: 'New workflow' }).click();
    await write(page, 'Name', 'Refund an order');
    await node(page, 'Trigger').click();
    await form(page).getByRole('combobox', { name: 'Starts', exact: true }).selectOption('by items of a queue');
    await form(page).getByRole('combobox', { name: 'Queue', exact: true }).selectOption('Refunds');
    await add(page, 'HTTP request', 'Refund it');
    await write(page, 'URL', `${shop.url}/{{ trigger.items[0].data.order }}`);
    await form(page).locator('summary', { hasText: 'If it fails' }).click();
    await form(page).getByLabel('Then').selectOption('follow the “error” edge');
    await form(page).getByRole('textbox', { name: 'Attempts' }).fill('2');
    await form(page).getByRole('textbox', { name: 'Wait before attempt 2' }).fill('1 s');
    await form(page).getByRole('button', { name: 'Add after “error”' }).click();
    await add(page, 'Set fields', 'Why not');
    await addValue(page, 'order', '{{ trigger.items[0].data.order }}');
    await addValue(page, 'why', '{{ steps.refundIt.error.message }}');
    await problems(page).getByText('No problems.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published as version 1.').waitFor();

    await go('Queues');
    await page.getByRole('link', { name: 'Refunds', exact: true }).click();
    await page.getByRole('button', { name: 'Add items' }).click();
    await dialog.getByRole('button', { name: 'Add a value' }).click();
    await dialog.getByRole('textbox', { name: /^Name \d/ }).fill('order');
    await dialog.getByRole('textbox', { name: 'Value of order' }).fill('A-9');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('table').getByText('Completed').waitFor();
    await go('Executions');
    await page.getByRole('link', { name: '#1', exact: true }).click();
    await page.getByRole('status').getByText('Completed').waitFor();
    const nodes = page.locator('.react-flow__node');
    await poll(async () => (await nodes.allTextContents()).map((text) => text.trim())).toEqual([
      ...['Queue', 'Refund itFailed', 'Why notCompleted'],
    ]);
    await page.getByRole('tab', { name: 'Attempts' }).click();
    const attempts = page.getByRole('tabpanel', { name: 'Attempts' });
    await attempts.getByText(/Attempt 2: .*HTTP_CONNECTION_FAILED/).waitFor();
    expect(shop.calls.map(({ url }) => url)).toEqual(['/A-9', '/A-9']);
    expect(complaints).toEqual([]);
  },
);

inBrowser('a step that started an execution or an agent links to it and shows what it waits for', async () => {
  const { home, owner } = await homeWithOwner();
  const asks = await home.deploy({
    ...{ slug: 'asks', name: 'Asks' },
    nodes: [control('ask', 'input', { title: 'Take it?', fields: [] })],
  });
  const id = await home.deploy({
    ...{ slug: 'calls', name: 'Calls' },
    nodes: [control('call', 'runWorkflow', { workflowId: asks }, { name: 'Call it' })],
  });
  const executionId = await home.execute(id);
  const { page, complaints } = await openConsole(home.url, `/console/executions/${executionId}`);
  await logInThere(page, owner);
  await page.getByRole('link', { name: 'Its execution' }).click();
  await page.getByRole('heading', { name: 'Take it?' }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('status').getByText('Completed').waitFor();
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  expect(complaints).toEqual([]);
});

inBrowser('a step that waits for an approval of its agent links to the task with the approval', async () => {
  const { home: bare, owner } = await homeWithOwner();
  const home = await agentHomeOn(bare, stackDatabase(), {
    ...{ name: 'Refunder', tools: [{ appId: 'core', actionId: 'transform', policy: 'approve' }] },
  });
  home.provider.answer(callTools({ id: 'c', name: 'core_transform', arguments: { value: 7 } }), say('It is refunded.'));
  const { agentId } = home;
  const id = await home.deploy({
    ...{ slug: 'refunds', name: 'Refunds' },
    nodes: [action('ask', 'agent.run', { agentId, message: 'Refund A-1' }, { name: 'Ask it' })],
  });
  const executionId = await home.execute(id);
  const { page, complaints } = await openConsole(home.url, `/console/executions/${executionId}`);
  await logInThere(page, owner);
  await page.getByText('“Ask it” waits for the approval of a tool call.').waitFor();
  await page.getByRole('link', { name: 'Its task' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('It is refunded.').waitFor();
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
  expect(complaints).toEqual([]);
});
