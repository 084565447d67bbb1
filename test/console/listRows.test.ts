// test: long
import { expect } from '@jest/globals';
import { inBrowser } from '../setup/browser/chromium.ts';
import { expectAccessible, logInThere, openConsole, withBrowser } from '../setup/browser/consolePage.ts';
import { action, control, question } from '../setup/workspace/graph.ts';
import { homeWithOwner } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

withBrowser();

inBrowser(
  'rows of executions say what is asked, whatever else is asked, and which attempt is next and when',
  async () => {
    const { home, owner } = await homeWithOwner();
    const asked = async (title: string) => {
      const id = await home.execute(await home.deploy({ name: 'Expense', nodes: [question('ask', { title })] }));
      await home.asked(id, 'ask');
      return id;
    };
    const ada = await asked('Ada asks for 42.50');
    await asked('Bob asks for 7.10');
    // More than a list of questions holds, and all of them older.
    await stackDatabase().$executeRaw`
    INSERT INTO pending_inputs (id, execution_id, workspace_id, node_id, iteration, label, fields, title, submissions, requested_at)
    SELECT gen_random_uuid(), p.execution_id, p.workspace_id, p.node_id, 'each:' || i, p.label, p.fields, p.title, p.submissions,
      p.requested_at - interval '1 hour'
    FROM pending_inputs p, generate_series(1, 250) i WHERE p.execution_id = ${ada}::uuid`;
    const retry = { maximumAttempts: 5, initialIntervalMs: 7_200_000 };
    const failing = action(
      'fetch',
      'testing.fail',
      { times: 4, message: 'None is left' },
      { name: 'Fetch the order', retry },
    );
    const retrying = await home.execute(await home.deploy({ name: 'Orders', nodes: [failing] }));
    await home.until(retrying, ({ executionPath }) => executionPath?.[0]?.status === 'RETRYING');

    const { page, complaints } = await openConsole(home.url, '/console/executions');
    await logInThere(page, owner);
    const table = page.getByRole('table', { name: 'Executions' });
    const row = (number: number) =>
      table.getByRole('row').filter({ has: page.getByRole('link', { name: `#${number}` }) });
    await row(1).getByText('“Ada asks for 42.50”').waitFor();
    await row(2).getByText('“Bob asks for 7.10”').waitFor();
    const next = row(3).getByText(/“Fetch the order”: attempt 2 in \d+ (hr|min)\. TEST_FAILURE/);
    await next.waitFor();
    expect(await row(3).getByTitle('None is left').count()).toBe(1);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await next.waitFor();
    await row(2).getByText('“Bob asks for 7.10”').waitFor();
    expect(complaints).toEqual([]);
  },
);

inBrowser('a queue says how old its oldest item is and what it starts, and a workflow by whom it is used', async () => {
  const { home, owner } = await homeWithOwner();
  const body = { name: 'Refunds', isActive: false };
  const { id: queueId } = (await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body })).body;
  const { id } = (await home.api('POST', `/api/queues/${queueId}/items`, { body: { data: {} } })).body;
  await stackDatabase().$executeRaw`
    UPDATE queue_items SET created_at = now() - interval '50 hours' WHERE id = ${id}::uuid`;
  const nodes = [action('a', 'core.set', { values: { a: 1 } })];
  const trigger = { id: 'trigger', type: 'queue', config: { queueId } } as never;
  const refund = await home.deploy({ name: 'Refund', trigger, nodes, isActive: false });
  await home.deploy({ name: 'Close the month', nodes: [control('r', 'runWorkflow', { workflowId: refund })] });
  const { page, complaints } = await openConsole(home.url, '/console/queues');
  await logInThere(page, owner);
  const row = page.getByRole('row', { name: /Refunds/ });
  await row.getByText('2 days ago').waitFor();
  await row.getByText('Refund (not active)').waitFor();
  await expectAccessible(page);
  await row.getByRole('link', { name: 'Refund', exact: true }).click();
  await page.getByRole('heading', { name: 'Refund' }).waitFor();
  await page.getByText('Used by').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Close the month' }).click();
  await page.getByRole('heading', { name: 'Close the month' }).waitFor();
  expect(complaints).toEqual([]);
});
