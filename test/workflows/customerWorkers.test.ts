import { beforeAll, describe, expect, test } from '@jest/globals';
import { ApplicationFailure, CancelledFailure, Context, heartbeat, sleep } from '@temporalio/activity';
import type { JsonObject } from '../../domain/json.ts';
import type { TriggerNode } from '../../domain/workflow/definition.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, edges } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { type OwnApp, ownApp, ownWorker } from '../setup/workspace/ownWorker.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const TRIGGER: TriggerNode = {
  id: 'trigger',
  type: 'manual',
  config: { fields: [{ key: 'value', label: 'Value', type: 'json', required: false }] },
};

/** A workflow of one step on the worker. */
function step({ slug }: OwnApp, actionId: string, more: object = {}, inputs: JsonObject = {}) {
  const value = '{{ trigger.?value.orValue(null) }}';
  const node = action('a', `${slug}.${actionId}`, { value, ...inputs }, more);
  return { name: 'On a worker', trigger: TRIGGER, nodes: [node] };
}

const first = (execution: Loose) => execution.executionPath[0];

test('a step waits and says so while nobody polls its queue, then continues by itself', async () => {
  const app = await ownApp(home);
  const id = await home.execute(await home.deploy(step(app, 'work')), { value: 1 });
  const message = `no worker polls ${app.taskQueue}`;
  const waiting = await home.until(id, ({ status }) => status === 'WAITING');
  expect(first(waiting)).toMatchObject({ status: 'WAITING', statusMessage: message });
  expect(await home.read(id)).toMatchObject({ status: 'WAITING', statusMessage: message });
  const found = async (queue: string) =>
    (await home.api('GET', `/api/executions?filterBy=waitingForWorker:${queue}`)).body.map((each: Loose) => each.id);
  expect(await found(app.taskQueue)).toEqual([id]);
  expect(await found(`${app.taskQueue}-other`)).toEqual([]);

  await ownWorker(app, { work: async () => 'done' });
  expect(first(await home.ended(id))).toMatchObject({ status: 'COMPLETED', output: 'done' });
  expect(await found(app.taskQueue)).toEqual([]);
});

describe('with a worker', () => {
  let app: OwnApp;
  beforeAll(async () => {
    app = await ownApp(home);
  });

  test('the activity gets inputs and call; its result is the output', async () => {
    const calls: Loose[] = [];
    const work = async (argument: Loose) => {
      calls.push(argument);
      if (argument.call.attempt === 1) throw new Error('first');
      return { ok: true };
    };
    await ownWorker(app, { work });
    const retry = { maximumAttempts: 3, initialIntervalMs: 10 };
    const ended = await home.run(step(app, 'work', { retry }), { value: { deep: [1] } });
    expect(first(ended)).toMatchObject({ status: 'COMPLETED', attempt: 2, output: { ok: true } });
    const { id, attempts } = first(ended);
    expect(attempts[0].error).toEqual({ code: 'Error', message: 'first' });
    expect(calls.map(({ inputs }) => inputs)).toEqual([{ value: { deep: [1] } }, { value: { deep: [1] } }]);
    const [one, two] = calls.map(({ call }) => call);
    expect(one).toMatchObject({ executionId: ended.id, stepId: id, attempt: 1 });
    expect(two).toMatchObject({ stepId: id, attempt: 2, idempotencyKey: one.idempotencyKey });
    expect(one.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/);
    expect(one.connection).toBeUndefined();
  });

  test('the failure decides: its type is the code, details are kept, nonRetryable and nextRetryDelay count', async () => {
    let fails: ApplicationFailure;
    await ownWorker(app, {
      work: async () => {
        throw fails;
      },
    });
    const retry = { maximumAttempts: 2, initialIntervalMs: 3_600_000 };
    fails = ApplicationFailure.create({
      message: 'no',
      type: 'CARD_DECLINED',
      nonRetryable: true,
      details: [{ why: 1 }],
    });
    expect(first(await home.run(step(app, 'work', { retry })))).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      error: { code: 'CARD_DECLINED', message: 'no', details: { why: 1 } },
    });
    fails = ApplicationFailure.create({
      message: 'soon',
      type: 'BUSY',
      nextRetryDelay: '10 milliseconds',
      details: [1, 2],
    });
    expect(first(await home.run(step(app, 'work', { retry })))).toMatchObject({
      attempt: 2,
      error: { code: 'BUSY', details: { details: [1, 2] } },
    });
  });

  test('actions of `workflows` run as child workflows, whose failure fails the step', async () => {
    await ownWorker(app, { double: async ({ value }: { value: number }) => 2 * value }, { withWorkflows: true });
    const twice = await home.run(step(app, 'twice'), { value: 21 });
    expect(first(twice)).toMatchObject({ status: 'COMPLETED', output: { doubled: 42, key: expect.any(String) } });
    expect(first(await home.run(step(app, 'refuses')))).toMatchObject({
      status: 'FAILED',
      error: { code: 'REFUSED', message: 'Not today', details: { until: 'tomorrow' } },
    });
    expect(first(await home.run(step(app, 'gives_up')))).toMatchObject({
      status: 'FAILED',
      error: { code: 'WORKER_CANCELLED' },
    });
  });

  test.each([
    ['not a number', () => Number.NaN, null],
    ['nothing', () => undefined, null],
  ])('an activity that returns %s completes', async (_, give, output) => {
    await ownWorker(app, { work: async () => give() });
    expect(first(await home.run(step(app, 'work')))).toMatchObject({ status: 'COMPLETED', output });
  });

  test.each([
    ['bytes', () => new Uint8Array([1, 2]), 'OUTPUT_UNREADABLE'],
    ['a value of 200 levels', () => JSON.parse('['.repeat(200) + ']'.repeat(200)), 'OUTPUT_TOO_DEEP'],
    ['more than Temporal takes', () => 'x'.repeat(3_000_000), 'WORKER_ANSWER_REFUSED'],
    ['a NUL', () => 'a\u0000b', 'OUTPUT_NOT_STORABLE'],
  ])('an activity that returns %s fails the step', async (_, give, code) => {
    await ownWorker(app, { work: async () => give() });
    expect(first(await home.run(step(app, 'work')))).toMatchObject({ status: 'FAILED', error: { code } });
  });

  test('an answer that does not fit the manifest is kept, with a warning', async () => {
    await ownWorker(app, { judged: async () => ({ ok: 'yes' }) });
    expect(first(await home.run(step(app, 'judged')))).toMatchObject({
      status: 'COMPLETED',
      output: { ok: 'yes' },
      console: [{ level: 'warn', text: 'output.ok is string; the manifest says boolean' }],
    });
  });

  test('large inputs arrive, larger ones than the limit are refused', async () => {
    await ownWorker(app, { work: async ({ inputs }: Loose) => inputs.value.length });
    expect(first(await home.run(step(app, 'work'), { value: 'x'.repeat(300_000) })).output).toBe(300_000);
    expect(first(await home.run(step(app, 'work'), { value: 'x'.repeat(600_000) })).error).toMatchObject({
      code: 'WORKER_INPUT_TOO_LARGE',
    });
  });

  test('many large calls at once, and a loop of large answers, keep messages and histories short', async () => {
    await ownWorker(app, { work: async ({ inputs }: Loose) => inputs.value });
    const graph = {
      name: 'Large',
      trigger: TRIGGER,
      nodes: [
        control('each', 'forEach', { items: '{{ trigger.value.items }}', concurrency: 20, keepOutputs: false }),
        action('a', `${app.slug}.work`, { value: '{{ loop.item + trigger.value.text }}' }, { parentId: 'each' }),
      ],
    };
    const items = Array.from({ length: 24 }, (_, index) => `${index} `);
    const ended = await home.run(graph, { value: { items, text: 'x'.repeat(200_000) } });
    expect(ended).toMatchObject({ status: 'COMPLETED', output: { completed: 24, failed: 0 } });
    const { historySize } = await (await stackTemporal()).workflow.getHandle(ended.id).describe();
    expect(historySize).toBeLessThan(20_000_000);
  });

  test('a lost worker counts as an attempt', async () => {
    let begun = 0;
    await ownWorker(app, {
      quick_beats: async () => {
        begun += 1;
        if (begun === 1) await Context.current().cancelled.catch(() => undefined);
        return begun;
      },
    });
    const ended = await home.run(step(app, 'quick_beats', { retry: { maximumAttempts: 2, initialIntervalMs: 10 } }));
    expect(first(ended)).toMatchObject({ status: 'COMPLETED', attempt: 2, output: 2 });
    expect(first(ended).attempts[0].error.code).toBe('WORKER_LOST');
  });

  test('a cancellation reaches the activity, and the execution ends after it', async () => {
    let stopped = 0;
    await ownWorker(
      app,
      {
        work: async () => {
          try {
            for (;;) {
              heartbeat();
              await sleep(50);
            }
          } catch (error) {
            await new Promise((resolve) => setTimeout(resolve, 300));
            stopped = Date.now();
            if (error instanceof CancelledFailure) throw error;
            throw new Error('not cancelled');
          }
        },
      },
      { defaultHeartbeatThrottleInterval: 100, maxHeartbeatThrottleInterval: 100 },
    );
    const id = await home.execute(await home.deploy(step(app, 'work')));
    await home.until(id, (snapshot) => first(snapshot)?.status === 'RUNNING');
    await home.api('POST', `/api/executions/${id}/cancel`);
    const ended = await home.ended(id);
    expect(ended.status).toBe('CANCELLED');
    expect(stopped).toBeGreaterThan(0);
    expect(Date.parse(first(ended).stoppedAt)).toBeGreaterThanOrEqual(stopped - 50);
  });

  test('an error route, parallel branches and a loop run as with other actions', async () => {
    await ownWorker(app, {
      work: async ({ inputs }: Loose) => {
        if (inputs.value === 'bad') throw ApplicationFailure.nonRetryable('bad', 'BAD');
        return inputs.value;
      },
    });
    const work = `${app.slug}.work`;
    const ended = await home.run({
      name: 'All ways',
      trigger: TRIGGER,
      nodes: [
        action('bad', work, { value: 'bad' }, { onError: 'route' }),
        action('rescue', work, { value: '{{ steps.bad.error.code }}' }),
        action('left', work, { value: 1 }),
        action('right', work, { value: 2 }),
        control('each', 'forEach', { items: [1, 2, 3, 4, 5], concurrency: 3 }),
        action('inner', work, { value: '{{ loop.item }}' }, { parentId: 'each' }),
        action('after', 'core.transform', { value: '{{ steps.rescue.output }}' }),
      ],
      edges: edges('trigger>bad', 'bad:error>rescue', 'trigger>left', 'trigger>right', 'left>each', 'rescue>after'),
    });
    expect(ended.status).toBe('COMPLETED');
    expect(ended.output).toMatchObject({ after: 'BAD', right: 2, each: [1, 2, 3, 4, 5] });
  });

  test('a secret never becomes an input', async () => {
    await ownWorker(app, { work: async () => 'never' });
    const secret = { key: 'token', label: 'Token', type: 'secret' as const, required: true };
    const trigger: TriggerNode = { id: 'trigger', type: 'manual', config: { fields: [secret] } };
    const graph = { ...step(app, 'work', {}, { value: 'Bearer {{ trigger.token }}' }), trigger };
    const ended = await home.run(graph, { token: 'a-long-secret-text' });
    expect(first(ended)).toMatchObject({ status: 'FAILED', error: { code: 'WORKER_INPUT_SECRET' } });
    const field = await home.run(step(app, 'work', {}, { password: 'another-secret' }));
    expect(first(field).error.code).toBe('WORKER_INPUT_SECRET');
    for (const id of [ended.id, field.id]) {
      const history = await (await stackTemporal()).workflow.getHandle(id).fetchHistory();
      const texts = (history.events ?? []).flatMap((event) =>
        JSON.stringify(event, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
      );
      expect(texts.join('')).not.toMatch(/secret-text|another-secret/);
    }
  });

  test('the test of a node calls the worker', async () => {
    await ownWorker(app, { work: async ({ inputs }: Loose) => ({ got: inputs.value }) });
    const workflowId = await home.deploy(step(app, 'work'));
    const { status, body } = await home.api('POST', `/api/workflows/${workflowId}/nodes/a/test`, {
      body: { trigger: { value: 7 } },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'COMPLETED', output: { got: 7 } } });
  });
});

test('the app shows who polls its queue', async () => {
  const app = await ownApp(home);
  const workersOf = async () => (await home.api('GET', `/api/workflow-apps/${app.slug}`)).body.workers;
  expect(await workersOf()).toEqual({ pollers: 0, lastSeenAt: null, buildIds: [] });
  await ownWorker(app, { work: async () => 'done' }, { buildId: 'v7' });
  await home.run(step(app, 'work'));
  expect(await workersOf()).toMatchObject({ pollers: 1, lastSeenAt: expect.any(String) });
});

test.each(['perdure', 'perdure-overflow', 'not-given'])('the queue %s cannot be named', async (taskQueue) => {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/apps/upsert`, {
    body: { slug: 'x', runs: { on: 'worker', taskQueue }, actions: [{ actionId: 'work' }] },
  });
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ path: 'runs.taskQueue' }] });
});

describe('credentials', () => {
  const exchange = (token: string) =>
    fetch(`${home.url}/api/apps/credentials`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });

  test('a token gives the credentials once; they are masked in what the step returns', async () => {
    const apiKey = 'a-key-that-nobody-reads';
    const field = { key: 'apiKey', label: 'API key', type: 'secret', required: true };
    const type = { connectionId: 'apiKey', name: 'API key', type: 'apiKey', fields: [field] };
    const app = await ownApp(home, { connectionTypes: [type] });
    const made = await home.api('POST', `/api/workflow-apps/${app.slug}/connections/apiKey/connect`, {
      body: { name: 'Ours', credentials: { apiKey } },
    });
    expect(made.status).toBeLessThan(300);
    const seen: { tokens: string[]; answers: Loose[] } = { tokens: [], answers: [] };
    await ownWorker(app, {
      work: async ({ call }: Loose) => {
        seen.tokens.push(call.connection);
        const answer = await exchange(call.connection);
        const { credentials } = (await answer.json()) as Loose;
        seen.answers.push((await exchange(call.connection)).status);
        if (call.attempt === 1) throw new Error(`failed with ${credentials.apiKey}`);
        return { key: credentials.apiKey };
      },
    });
    const connectionId = made.body.id;
    const retry = { maximumAttempts: 2, initialIntervalMs: 10 };
    const ended = await home.run(step(app, 'work', { connectionId, retry }));
    expect(first(ended)).toMatchObject({ status: 'COMPLETED', output: { key: '***' } });
    expect(first(ended).attempts[0].error.message).toBe('failed with ***');
    expect(new Set(seen.tokens).size).toBe(2);
    expect(seen.answers).toEqual([404, 404]);
    const history = await (await stackTemporal()).workflow.getHandle(ended.id).fetchHistory();
    expect(JSON.stringify(history.events?.find((event) => event.activityTaskScheduledEventAttributes))).not.toContain(
      apiKey,
    );
  });

  test('a token of a step that has ended, and an invented one, are refused alike', async () => {
    const refusals = await Promise.all(
      ['invented', 'x'.repeat(43)].map(async (token) => (await exchange(token)).json()),
    );
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'NOT_FOUND' });
  });
});
