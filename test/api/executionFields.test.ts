import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { action, control, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const SOON = { maximumAttempts: 3, initialIntervalMs: 1, backoffCoefficient: 1, maximumIntervalMs: 1 };
const LATE = { maximumAttempts: 3, initialIntervalMs: 3_600_000, backoffCoefficient: 1, maximumIntervalMs: 3_600_000 };
const FIELDS = 'input,triggerType,workflowVersion,startedBy,labels,errorCode,failedNodeId';

async function fieldsOf(home: Home, executionId: string) {
  const { status, body } = await home.api('GET', `/api/executions/${executionId}?expansion=${FIELDS}`);
  expect(status).toBe(200);
  return body;
}

async function found(home: Home, filterBy: string): Promise<string[]> {
  const query = encodeURIComponent(filterBy);
  const listed = await home.api('GET', `/api/executions?filterBy=${query}`);
  const counted = await home.api('GET', `/api/executions/counts?filterBy=${query}`);
  expectAbout([listed.status, counted.status], filterBy).toEqual([200, 200]);
  const sum = Object.values(counted.body as Record<string, number>).reduce((all, each) => all + each);
  expectAbout(sum, filterBy).toBe(listed.body.length);
  return listed.body.map(({ id }: { id: string }) => id).sort();
}

test('an execution says what it began with, by which version, and what started it', async () => {
  const home = await makeHome();
  const person = await home.person();
  await home.api('POST', '/api/variables', { body: { name: 'limit', value: 100, projectId: home.projectId } });
  const trigger = manual(
    { key: 'order', label: 'Order', type: 'text', required: true },
    { key: 'pin', label: 'PIN', type: 'secret', required: true },
  );
  const nodes = [action('a', 'core.set', { values: { limit: '{{ variables.limit }}' } })];
  await home.deploy({ slug: 'orders', trigger, nodes: [action('a', 'core.set', { values: {} })] });
  const workflowId = await home.deploy({ slug: 'orders', name: 'Orders', trigger, nodes });
  const byKey = await home.execute(workflowId, { order: 'A-1042', pin: 'very-secret-pin' });
  const started = await person('POST', `/api/executions/workflows/${workflowId}/execute`, {
    body: { inputData: { order: 'B-7', pin: 'very-secret-pin' } },
  });
  const byPerson = started.body.executionId;
  for (const id of [byKey, byPerson]) await home.ended(id);

  const input = { trigger: { order: 'A-1042', pin: '***' }, variables: { limit: 100 } };
  expect(await fieldsOf(home, byKey)).toMatchObject({
    ...{ input, triggerType: 'manual', workflowVersion: 2, labels: {}, errorCode: null, failedNodeId: null },
    startedBy: { type: 'apiKey', id: expect.any(String), name: expect.any(String) },
  });
  const { body: me } = await person('GET', '/api/users/me');
  expect(await fieldsOf(home, byPerson)).toMatchObject({ startedBy: { type: 'user', id: me.id, name: me.name } });
  expect((await home.api('GET', `/api/executions/${byKey}/input`)).body).toEqual(input);

  const retried = await home.api('POST', `/api/executions/${byKey}/retry`, { body: {} });
  const again = retried.body.executionId;
  await home.ended(again);
  expect(await fieldsOf(home, again)).toMatchObject({
    ...{ input, workflowVersion: 2 },
    startedBy: { type: 'retry', id: byKey, name: 'Orders' },
  });

  const { body: number } = await home.api('GET', `/api/executions/${byPerson}?expansion=executionNumber`);
  expect(await found(home, `number:${number.executionNumber}`)).toEqual([byPerson]);
  expect(await found(home, 'startedBy:apiKey')).toEqual([byKey]);
  expect(await found(home, 'startedBy:user|retry')).toEqual([byPerson, again].sort());
  expect(await found(home, `workflowId:${workflowId},workflowVersion:2`)).toHaveLength(3);
  expect(await found(home, `workflowId:${workflowId},workflowVersion:1`)).toEqual([]);

  const stranger = await makeHome();
  expect((await stranger.api('GET', `/api/executions/${byKey}/input`)).status).toBe(404);
  expect(await found(stranger, `number:${number.executionNumber}`)).toEqual([]);
  for (const wrong of ['number:x', 'startedBy:me', 'workflowVersion:', 'retrying:often', 'label.:a', 'label.a b:c']) {
    const refused = await home.api('GET', `/api/executions?filterBy=${encodeURIComponent(wrong)}`);
    expectAbout(refused, wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  }
});

test('the input of a webhook is shown without the credentials of its caller; a large one is a link', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    trigger: webhook({ secret: 'the-hook-secret' }),
    nodes: [action('a', 'core.set', { values: {} })],
  });
  const send = async (body: unknown) => {
    const headers = {
      authorization: 'Basic c2VjcmV0',
      'x-webhook-secret': 'the-hook-secret',
      'x-api-key': home.apiKey,
    };
    const { headers: answered } = await home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body, headers });
    const id = String(answered.get('x-execution-id'));
    await home.ended(id);
    return id;
  };
  const small = await send({ order: 1 });
  const { input, triggerType, startedBy } = await fieldsOf(home, small);
  expect([triggerType, startedBy]).toEqual(['webhook', { type: 'webhook' }]);
  expect(input.trigger).toMatchObject({ method: 'POST', body: { order: 1 } });
  expect(JSON.stringify(input)).not.toMatch(/c2VjcmV0|the-hook-secret|pdr_/);

  const text = 'x'.repeat(400_000);
  const large = await send({ text });
  const list = await home.api('GET', `/api/executions?expansion=input&filterBy=startedBy:webhook`);
  const row = list.body.find(({ id }: { id: string }) => id === large);
  expect(row).toMatchObject({ input: null, inputLink: `/api/executions/${large}/input` });
  expect(row.inputBytes).toBeGreaterThan(400_000);
  const whole = await home.api('GET', row.inputLink);
  expect(whole.body.trigger.body).toEqual({ text });
  expect((await fieldsOf(home, large)).input.trigger.body).toEqual({ text });
});

test('a step shows its last attempts and the time of the next, and a failed execution its place and cause', async () => {
  const home = await makeHome();
  const [retriedId, waitingId, failedId] = await Promise.all(
    [
      { nodes: [action('a', 'testing.fail', { times: 2, message: 'not yet' }, { retry: SOON })] },
      { nodes: [action('a', 'testing.fail', { message: 'away' }, { retry: LATE })] },
      { nodes: [action('a', 'testing.fail', { message: 'broken' }, { retry: SOON })] },
    ].map(async (graph) => home.execute(await home.deploy(graph))),
  );
  const retried = stepOf(await home.ended(String(retriedId)), 'a');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  const error = { code: 'TESTING_FAILED', message: expect.stringContaining('not yet') };
  expect(retried.attempts).toEqual([
    { attempt: 1, startedAt: retried.startedAt, stoppedAt: time, error: { ...error, code: expect.any(String) } },
    { attempt: 2, startedAt: time, stoppedAt: time, error: { ...error, code: expect.any(String) } },
    { attempt: 3, startedAt: time, stoppedAt: retried.stoppedAt },
  ]);
  for (const [index, { startedAt, stoppedAt }] of retried.attempts.entries()) {
    expect(startedAt <= stoppedAt).toBe(true);
    const before = retried.attempts[index - 1];
    if (before) expect(before.stoppedAt <= startedAt).toBe(true);
  }

  const failed = await home.ended(String(failedId));
  const waiting = await home.until(String(waitingId), ({ status }) => status === 'WAITING');
  const step = waiting.executionPath[0];
  expect(step).toMatchObject({ status: 'RETRYING', attempts: [{ attempt: 1, stoppedAt: time }], wakeAt: time });
  expect(Date.parse(step.wakeAt)).toBeGreaterThan(Date.now() + 3_000_000);
  expect(await found(home, 'retrying:true')).toEqual([waitingId]);
  expect(await found(home, 'retrying:false')).toEqual([retriedId, failedId].sort());
  await home.api('POST', `/api/executions/${waitingId}/cancel`);
  const cancelled = stepOf(await home.ended(String(waitingId)), 'a');
  expect(cancelled.attempts).toEqual(step.attempts);
  expect(cancelled.wakeAt).toBeUndefined();
  expect(await found(home, 'retrying:true')).toEqual([]);

  const { code } = stepOf(failed, 'a').error;
  expect(stepOf(failed, 'a').attempts).toHaveLength(3);
  expect(await fieldsOf(home, String(failedId))).toMatchObject({ errorCode: code, failedNodeId: 'a' });
  expect(await found(home, `errorCode:${code}`)).toEqual([failedId]);
  expect(await found(home, 'failedNodeId:a')).toEqual([failedId]);
  expect(await found(home, 'errorCode:OTHER')).toEqual([]);
});

test('more attempts than twenty: the last ones are shown', async () => {
  const home = await makeHome();
  const retry = { ...SOON, maximumAttempts: 30 };
  const nodes = [action('a', 'testing.fail', { times: 24 }, { retry })];
  const { attempts } = stepOf(await home.run({ nodes }), 'a');
  expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 6),
  );
});

test('the failure of a loop names the iteration, and the step inside it that failed', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      control('outer', 'forEach', { items: [1, 2, 3] }),
      control('inner', 'forEach', { items: ['a', 'b'] }, { parentId: 'outer' }),
      action(
        'work',
        'core.assert',
        { condition: '{{ loops.outer.item < 2 || loop.index < 1 }}', message: 'too big' },
        { parentId: 'inner' },
      ),
      action('handled', 'core.set', { values: {} }),
    ],
  });
  expect(execution.statusMessage).toMatch(/^outer: Iteration 2: inner: Iteration 2: Assert: too big/);
  expect(stepOf(execution, 'outer').error).toMatchObject({
    code: 'ITERATION_FAILED',
    iteration: { nodeId: 'outer', index: 1 },
    cause: { nodeId: 'work' },
  });
  const { errorCode, failedNodeId } = await fieldsOf(home, execution.id);
  expect(failedNodeId).toBe('work');
  expect(errorCode).toBe(stepOf(execution, 'outer').error.cause.code);
  expect(errorCode).not.toBe('ITERATION_FAILED');
});

test('other ends have a code: a stop node, the output, a timeout', async () => {
  const home = await makeHome();
  const stopped = await home.run({ nodes: [control('end', 'stop', { outcome: 'failed', message: 'no' })] });
  expect(await fieldsOf(home, stopped.id)).toMatchObject({ errorCode: 'STOPPED', failedNodeId: 'end' });
  const besides = await home.run({
    nodes: [question('ask'), action('a', 'testing.fail', {}), action('b', 'core.set', { values: {} })],
    edges: edges('a>b'),
  });
  expect(await fieldsOf(home, besides.id)).toMatchObject({ errorCode: expect.any(String), failedNodeId: 'a' });
  const output = await home.run({ nodes: [action('a', 'core.set', { values: {} })], output: '{{ steps.a.output.b }}' });
  expect(await fieldsOf(home, output.id)).toMatchObject({ errorCode: expect.any(String), failedNodeId: null });
  const late = await home.run({ nodes: [question('ask')], timeoutMs: 50 });
  expect(await fieldsOf(home, late.id)).toMatchObject({ errorCode: 'TIMED_OUT', failedNodeId: null });
  const done = await home.run({
    nodes: [action('a', 'testing.fail', {}, { onError: 'continue' }), action('b', 'core.set', { values: {} })],
    edges: edges('a>b'),
  });
  expect(await fieldsOf(home, done.id)).toMatchObject({ errorCode: null, failedNodeId: null });
});
