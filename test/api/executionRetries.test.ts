import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { eventsOf } from '../setup/api/events.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain, control, edges } from '../setup/workspace/graph.ts';
import { makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

test('a failed attempt is tried again after its pause; each is visible', async () => {
  const home = await makeHome();
  const retry = { maximumAttempts: 5, initialIntervalMs: 2_000, backoffCoefficient: 1.5 };
  const workflowId = await home.deploy({
    nodes: [action('flaky', 'testing.fail', { times: 2, message: 'Not yet' }, { retry })],
  });
  const executionId = await home.execute(workflowId);
  const waits: { attempt: number; status: string; continueAt: string }[] = [];
  for await (const { data } of eventsOf(home.api, executionId)) {
    const step = data.executionPath?.[0];
    if (step?.status !== 'RETRYING' || waits.some(({ attempt }) => attempt === step.attempt)) continue;
    expect(step.error).toEqual({ code: 'TEST_FAILURE', message: 'Not yet', attempt: step.attempt });
    waits.push({ attempt: step.attempt, status: data.status, continueAt: step.wakeAt });
  }
  expect(waits.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 'WAITING'],
    [2, 'WAITING'],
  ]);
  const execution = await home.read(executionId, 'continueExecutionAt', 'startedAt');
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { attempt: 3 }, continueExecutionAt: null });
  const [flaky] = execution.executionPath;
  expect(flaky).toMatchObject({ status: 'COMPLETED', attempt: 3 });
  expect(flaky.error).toBeUndefined();
  const [first = '', second = ''] = waits.map(({ continueAt }) => continueAt);
  expect(Date.parse(first)).toBeGreaterThanOrEqual(Date.parse(execution.startedAt) + 2_000);
  expect(Date.parse(second)).toBeGreaterThanOrEqual(Date.parse(first) + 3_000);
  expect(Date.parse(flaky.startedAt)).toBeLessThan(Date.parse(first));
  expect(Date.parse(flaky.stoppedAt)).toBeGreaterThanOrEqual(Date.parse(second));
});

test('a list shows which steps are retried when and why, the next one first', async () => {
  const home = await makeHome();
  const again = (initialIntervalMs: number) => ({ retry: { maximumAttempts: 5, initialIntervalMs } });
  const workflowId = await home.deploy({
    nodes: [
      action('late', 'testing.fail', { times: 4, message: 'Not today' }, again(3_600_000)),
      action(
        'soon',
        'testing.fail',
        { times: 4, message: 'Not yet' },
        { name: 'Fetch the order', ...again(1_800_000) },
      ),
    ],
  });
  const executionId = await home.execute(workflowId);
  const other = await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] });
  const { executionPath } = await home.until(executionId, ({ executionPath: path }) =>
    ['late', 'soon'].every((id) =>
      path?.some(({ nodeId, status }: Record<string, string>) => nodeId === id && status === 'RETRYING'),
    ),
  );
  const step = (nodeId: string) => executionPath.find((each: { nodeId: string }) => each.nodeId === nodeId);
  const shown = (nodeId: string, label: string, message: string) => ({
    nodeId,
    stepId: step(nodeId).id,
    label,
    iteration: [],
    attempt: 1,
    wakeAt: step(nodeId).wakeAt,
    error: { code: 'TEST_FAILURE', message },
  });
  const retryingSteps = [shown('soon', 'Fetch the order', 'Not yet'), shown('late', step('late').label, 'Not today')];
  const { body } = await home.api('GET', '/api/executions?expansion=retryingSteps');
  expect(body).toEqual([
    { id: other.id, retryingSteps: [] },
    { id: executionId, retryingSteps },
  ]);
  const waiting = await home.read(executionId, 'retryingSteps', 'continueExecutionAt');
  expect(waiting).toMatchObject({ status: 'WAITING', retryingSteps, continueExecutionAt: step('soon').wakeAt });
  await home.api('POST', `/api/executions/${executionId}/cancel`);
  await home.ended(executionId);
  expect((await home.read(executionId, 'retryingSteps')).retryingSteps).toEqual([]);
});

test('lists ten of many retrying iterations, each with its iteration and without secrets', async () => {
  const home = await makeHome();
  await home.api('POST', '/api/variables', { body: { name: 'pin', value: 'quite-a-secret', isSecret: true } });
  const failing = { message: 'Refused {{ variables.pin }}', times: 4 };
  const retry = { maximumAttempts: 5, initialIntervalMs: 3_600_000 };
  const workflowId = await home.deploy({
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: 12 }, (_, n) => n), concurrency: 12 }),
      action('fetch', 'testing.fail', failing, { parentId: 'each', retry }),
    ],
  });
  const executionId = await home.execute(workflowId);
  const all = `/api/executions/${executionId}/steps?filterBy=status:RETRYING`;
  await poll(async () => (await home.api('GET', all)).body.length, { timeout: 60_000, interval: 100 }).toBe(12);
  const { body } = await home.api('GET', '/api/executions?expansion=retryingSteps&filterBy=retrying:true');
  expect(body).toHaveLength(1);
  const { retryingSteps } = body[0];
  expect(retryingSteps).toHaveLength(10);
  const times = retryingSteps.map(({ wakeAt }: { wakeAt: string }) => wakeAt);
  expect(times).toEqual([...times].sort());
  for (const { iteration, error } of retryingSteps) {
    expect([iteration[0].nodeId, error.message]).toEqual(['each', 'Refused ***']);
  }
});

test('the last attempt that fails is the failure of the step', async () => {
  const home = await makeHome();
  const retry = { maximumAttempts: 3, initialIntervalMs: 10 };
  const execution = await home.run({
    nodes: [
      action('always', 'testing.fail', {}, { retry, onError: 'continue' }),
      action('never', 'testing.fail', { retryable: false }, { retry, onError: 'continue' }),
      action('inline', 'core.assert', { condition: false }, { retry, onError: 'continue' }),
      action('atOnce', 'testing.fail', { times: 2 }, { retry: { maximumAttempts: 3, initialIntervalMs: 0 } }),
    ],
  });
  expect(execution.status).toBe('COMPLETED');
  expect(stepOf(execution, 'always')).toMatchObject({ status: 'FAILED', attempt: 3, error: { attempt: 3 } });
  expect(stepOf(execution, 'never')).toMatchObject({ status: 'FAILED', attempt: 1, error: { attempt: 1 } });
  expect(stepOf(execution, 'inline')).toMatchObject({ status: 'FAILED', attempt: 1 });
  expect(stepOf(execution, 'atOnce')).toMatchObject({ status: 'COMPLETED', attempt: 3, output: { attempt: 3 } });
});

test('an execution is WAITING only while no other step runs', async () => {
  const home = await makeHome();
  const held: ServerResponse[] = [];
  const server = await loopback((_, response) => void held.push(response));
  const retry = { maximumAttempts: 2, initialIntervalMs: 600_000 };
  const beside = action('beside', 'http.request', { method: 'GET', url: server.url });
  const executionId = await home.execute(
    await home.deploy({ nodes: [action('flaky', 'testing.fail', { times: 1 }, { retry }), beside] }),
  );
  const seen: string[] = [];
  for await (const { data } of eventsOf(home.api, executionId)) {
    if (!data.executionPath) continue;
    const now = statuses(data);
    if (now.flaky !== 'RETRYING') continue;
    const hasEnded = now.beside === 'COMPLETED';
    seen.push(`${hasEnded ? 'ended' : 'open'}: ${data.status}`);
    if (hasEnded) break;
    await poll(() => server.calls.length).toBe(1);
    held.pop()?.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
  expect([...new Set(seen)]).toEqual(['open: RUNNING', 'ended: WAITING']);
  await home.api('POST', `/api/executions/${executionId}/cancel`);
});

test('respects Retry-After', async () => {
  const home = await makeHome();
  const times: number[] = [];
  const server = await loopback((_, response, index) => {
    times.push(Date.now());
    if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
  const execution = await home.run({
    nodes: [action('call', 'http.request', { method: 'GET', url: server.url }, { retry })],
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { status: 200, body: { ok: true } } });
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  const keys = server.calls.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
});

test('an attempt that takes too long fails with TIMEOUT, and is tried again', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      action(
        'slow',
        'testing.wait',
        { ms: 60_000 },
        { timeoutMs: 150, retry: { maximumAttempts: 2, initialIntervalMs: 10 } },
      ),
    ],
  });
  expect(execution).toMatchObject({ status: 'FAILED', statusMessage: 'Wait: Not finished within 150 ms' });
  const slow = stepOf(execution, 'slow');
  expect(slow).toMatchObject({ status: 'FAILED', attempt: 2, error: { code: 'TIMEOUT', attempt: 2 } });
  expect(slow.durationMs).toBeGreaterThanOrEqual(310);
  expect(slow.durationMs).toBeLessThan(60_000);
});

test('a failure after all retries takes its error route', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      action('bad', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 10 }, onError: 'route' }),
      action('after', 'testing.succeed', {}),
      action('handler', 'core.transform', { value: '{{ steps.bad.error.code }}' }),
    ],
    edges: edges('bad>after', 'bad:error>handler'),
  });
  expect(execution.output).toBe('TEST_FAILURE');
  expect(statuses(execution)).toEqual({ bad: 'FAILED', handler: 'COMPLETED' });
});

test('an output over the limit is a failure of its step', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [action('huge', 'testing.payload', { bytes: 11_000_000 }), action('after', 'testing.succeed')],
    edges: chain('huge', 'after'),
  });
  expect(execution.status).toBe('FAILED');
  expect(stepOf(execution, 'huge').error).toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
});

test('a megabyte passes through', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      action('large', 'testing.payload', { bytes: 1_000_000 }),
      action('size', 'core.transform', { value: '{{ size(steps.large.output.data) }}' }),
    ],
    edges: chain('large', 'size'),
  });
  expect(execution.output).toBe(1_000_000);
});
