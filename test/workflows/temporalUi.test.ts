import { beforeAll, describe, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { pino } from 'pino';
import { compareRetention } from '../../engine/temporal/namespaceRetention.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

describe('Temporal UI', () => {
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
});

describe('stack traces', () => {
  let home: Home;
  beforeAll(async () => {
    home = await makeHome();
  });

  test('no time is spent on recording the stacks of promises: the query for them has no frame', async () => {
    const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
    await home.asked(executionId, 'ask');
    const { workflow } = await stackTemporal();
    expect(await workflow.getHandle(executionId).query<string>('__stack_trace')).not.toMatch(/^\s+at /m);
    await home.submit(executionId, 'ask', { answer: 'yes' });
    expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('status', () => {
  async function shown(executionId: string): Promise<unknown> {
    const { workflow } = await stackTemporal();
    return (await workflow.getHandle(executionId).describe()).searchAttributes.PerdureStatus;
  }
  const SOON = { timeout: 10_000, interval: 50 };
  const long = (id: string) => action(id, 'testing.wait', { ms: 600_000 });

  test('shows a question, that it continues a second after the answer, and the end', async () => {
    const home = await makeHome();
    const executionId = await home.execute(
      await home.deploy({ nodes: [question('ask'), long('work')], edges: chain('ask', 'work') }),
    );
    await home.asked(executionId, 'ask');
    await poll(() => shown(executionId), SOON).toEqual(['NEEDS_INPUT']);
    await home.submit(executionId, 'ask', { answer: 'x' });
    await poll(() => shown(executionId), SOON).toEqual(['RUNNING']);
    await home.api('POST', `/api/executions/${executionId}/cancel`);
    await home.ended(executionId);
    await poll(() => shown(executionId), SOON).toEqual(['CANCELLED']);
  });

  test('a question within that second is shown before the continuation', async () => {
    const home = await makeHome();
    const executionId = await home.execute(
      await home.deploy({
        nodes: [control('again', 'repeat', { times: 2 }), question('ask', {}, { parentId: 'again' }), long('work')],
        edges: edges('again>work'),
      }),
    );
    const askedIn = (index: number) =>
      home.until(executionId, ({ pendingInput = [] }) => pendingInput[0]?.iteration[0].index === index);
    await askedIn(0);
    await home.submit(executionId, 'ask', { answer: 'x' });
    await askedIn(1);
    // The timer of the first answer has fired by then.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await shown(executionId)).toEqual(['NEEDS_INPUT']);
    await home.submit(executionId, 'ask', { answer: 'x' });
    await poll(() => shown(executionId), SOON).toEqual(['RUNNING']);
  });
});

describe('retention of the namespace', () => {
  const DAY_MS = 86_400_000;

  /** Returns the log of a starting worker that keeps ended executions for this many days. */
  async function warnings(namespace: string, executionDays: number): Promise<object[]> {
    const lines: object[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    await compareRetention(await stackTemporal(), namespace, executionDays, log);
    return lines;
  }

  test('a worker warns where executions are deleted before Temporal forgets them, by what the server says', async () => {
    const { workflowService } = await stackTemporal();
    const namespace = `retention-${crypto.randomUUID()}`;
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(7 * DAY_MS) });
    expect(await warnings(namespace, 6)).toEqual([
      expect.objectContaining({
        level: 40,
        EXECUTION_RETENTION_DAYS: 6,
        namespaceDays: 7,
        msg: expect.stringContaining('EXECUTION_RETENTION_DAYS is shorter'),
      }),
    ]);
    // Equal, longer or unlimited retention, or an unknown namespace.
    for (const days of [7, 8, 0]) expect(await warnings(namespace, days)).toEqual([]);
    expect(await warnings('nowhere', 1)).toEqual([]);
  });
});
