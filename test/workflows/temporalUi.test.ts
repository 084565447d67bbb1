import { beforeAll, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

// An execution in the Temporal UI: details, and lines beside the events of its history.

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const SECRET = 'not-for-histories';
const HOUR_MS = 3_600_000;
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';

async function detailsOf(workflowId: string): Promise<string[]> {
  const handle = (await stackTemporal()).workflow.getHandle(workflowId);
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails.split('\n').filter((line) => line !== '');
}

/** What lists of workflows answer with. */
async function memoOf(workflowId: string): Promise<Record<string, unknown> | undefined> {
  return (await (await stackTemporal()).workflow.getHandle(workflowId).describe()).memo;
}

async function summariesOf(workflowId: string): Promise<string[]> {
  const { events } = await (await stackTemporal()).workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ userMetadata }) => {
    const data = userMetadata?.summary?.data;
    return data ? [JSON.parse(Buffer.from(data).toString()) as string] : [];
  });
}

test('details name running, retrying, waiting and asking steps, loops and children; summaries name timers, actions and regions', async () => {
  const child = await home.deploy({ name: 'Ask the bank', nodes: [question('ask')] });
  const items = Array.from({ length: 3 }, (_, index) => `${SECRET}-${index}`);
  const executionId = await home.execute(
    await home.deploy({
      name: 'Handle order',
      nodes: [
        action('prepare', 'core.set', { values: { secret: SECRET } }, { name: 'Prepare' }),
        action(
          'fetch',
          'testing.fail',
          { message: SECRET },
          { name: 'Fetch order', retry: { maximumAttempts: 5, initialIntervalMs: HOUR_MS } },
        ),
        action('stock', 'testing.wait', { ms: HOUR_MS }, { name: 'Reserve stock' }),
        control('cool', 'delay', { forMs: HOUR_MS }, { name: 'Cool down' }),
        control('bank', 'runWorkflow', { workflowId: child }, { name: 'Bank' }),
        question('approve', {}, { name: 'Approve' }),
        control('lines', 'forEach', { items, concurrency: 3 }, { name: 'Each line' }),
        question('check', {}, { parentId: 'lines', name: 'Check line' }),
      ],
      edges: ['fetch', 'stock', 'cool', 'bank', 'approve', 'lines'].flatMap((id) =>
        chain('prepare', id).map((edge) => ({ ...edge, id })),
      ),
    }),
  );
  const asked = await home.until(executionId, ({ pendingInput }) => pendingInput?.length === 4);
  const { stepId } = asked.pendingInput.find(({ nodeId }: { nodeId: string }) => nodeId === 'check');
  await home.submit(executionId, 'check', { answer: 'x' }, stepId);

  const lines = [
    /^- Waiting for input at "Approve" \(approve\)$/,
    new RegExp(`^- Retry 2 of 5: Fetch order at ${TIME}$`),
    /^- Running: Reserve stock$/,
    new RegExp(`^- Waits until ${TIME}: Cool down$`),
    /^- Waits for the workflow "Ask the bank": Bank$/,
    /^- Loop: Each line, 1 of 3 iterations have ended$/,
    /^- Waiting for input at "Check line" \(check\) in lines:\d$/,
    /^- Waiting for input at "Check line" \(check\) in lines:\d$/,
  ];
  const shown = async () => {
    const details = await detailsOf(executionId);
    return { count: details.length, missing: lines.filter((line) => !details.some((one) => line.test(one))) };
  };
  await poll(shown, { timeout: 30_000, interval: 100 }).toEqual({ count: lines.length, missing: [] });

  const { executionNumber } = await home.read(executionId, 'executionNumber');
  expect(await memoOf(executionId)).toEqual({ workflow: 'Handle order', number: executionNumber });
  const summaries = await summariesOf(executionId);
  expect(summaries).toEqual(
    expect.arrayContaining([
      `#${executionNumber} Handle order`,
      'Prepare',
      'Fetch order',
      'Retry 2 of 5: Fetch order',
      'Delay: Cool down',
    ]),
  );
  expect(`${summaries}${await detailsOf(executionId)}`).not.toContain(SECRET);

  await home.api('POST', `/api/executions/${executionId}/terminate`);
  await home.ended(executionId);
});

test('names longer than the engine takes are cut', async () => {
  const name = '日'.repeat(200);
  const retry = { maximumAttempts: 2, initialIntervalMs: 1 };
  const execution = await home.run({ name, nodes: [action('a', 'testing.fail', { times: 1 }, { name, retry })] });
  expect(execution.status).toBe('COMPLETED');
  const summaries = await summariesOf(execution.id);
  expect(summaries.length).toBeGreaterThan(2);
  for (const summary of summaries) expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThanOrEqual(400);
});

test('an execution and its activities have the fairness key of their workspace', async () => {
  const child = await home.deploy({ nodes: [question('ask')] });
  const call = control('call', 'runWorkflow', { workflowId: child });
  const executionId = await home.execute(await home.deploy({ nodes: [call] }));
  await home.until(executionId, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
  const { childExecutions } = await home.read(executionId, 'childExecutions');
  await home.asked(childExecutions[0].id, 'ask');
  for (const id of [executionId, childExecutions[0].id]) {
    const { priority } = await (await stackTemporal()).workflow.getHandle(id).describe();
    expect(priority).toMatchObject({ fairnessKey: home.workspaceId });
  }
  await home.api('POST', `/api/executions/${executionId}/cancel`);
});
