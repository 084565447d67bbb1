import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { action, chain, control, edges, type Graph, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

const say = (id: string, value: unknown = id) => action(id, 'core.transform', { value } as { value: string });
const remote = (id: string, value: unknown = id) => action(id, 'testing.succeed', { output: value } as object as never);
const check = (id: string) => action(id, 'core.assert', { condition: '{{ variables.ready }}' });

async function retry(home: Home, executionId: string, body: object = {}, headers: Record<string, string> = {}) {
  return home.api('POST', `/api/executions/${executionId}/retry`, { body, headers });
}

async function retried(home: Home, executionId: string, body: object = {}) {
  const answer = await retry(home, executionId, { again: true, ...body });
  expect([answer.status, answer.body]).toEqual([201, { executionId: expect.any(String) }]);
  return home.ended(answer.body.executionId);
}

function reused({ executionPath }: { executionPath: { nodeId: string; reused?: true }[] }): string[] {
  return executionPath.filter((step) => step.reused).map(({ nodeId }) => nodeId);
}

async function unready(home: Home): Promise<() => Promise<void>> {
  const { body } = await home.api('POST', '/api/variables', { body: { name: 'ready', value: false } });
  return async () => {
    const answer = await home.api('PATCH', `/api/variables/${body.id}`, { body: { value: true } });
    expect(answer.status).toBe(200);
  };
}

const failing: Graph = {
  nodes: [
    remote('a', '{{ execution.number }}'),
    say('b', '{{ trigger.n + 1 }}'),
    check('c'),
    remote('d', '{{ steps.b.output }}'),
  ],
  edges: chain('a', 'b', 'c', 'd'),
};

test('a kept step shows its console lines, also in the retry of a retry', async () => {
  const home = await makeHome();
  const first = await home.run({
    nodes: [
      action('a', 'code.javascript', { code: 'console.log("said"); return 1;' }),
      action('b', 'testing.fail', {}),
    ],
    edges: chain('a', 'b'),
  });
  const second = await retried(home, first.id);
  const third = await retried(home, second.id);
  for (const { id, executionPath } of [first, second, third]) {
    expect(executionPath[0]).toMatchObject({ nodeId: 'a', console: [{ level: 'log', text: 'said' }] });
    expect((await home.api('GET', `/api/executions/${id}/steps`)).body).toEqual(executionPath);
    expect((await home.api('GET', `/api/executions/${id}/steps/${executionPath[0].id}`)).body).toEqual(
      executionPath[0],
    );
  }
});

test('a retry continues at the failed step, with the earlier outputs and the current variables', async () => {
  const home = await makeHome();
  const mend = await unready(home);
  const first = await home.run(failing, { n: 1 });
  expect(statuses(first)).toEqual({ a: 'COMPLETED', b: 'COMPLETED', c: 'FAILED' });
  await mend();
  const second = await retried(home, first.id);
  expect(second).toMatchObject({ status: 'COMPLETED', output: 2 });
  expect(second.executionPath.map(({ nodeId }: { nodeId: string }) => nodeId)).toEqual(['a', 'b', 'c', 'd']);
  expect(reused(second)).toEqual(['a', 'b']);
  for (const nodeId of ['a', 'b']) {
    const { id, ...kept } = stepOf(second, nodeId);
    const { id: before, ...was } = stepOf(first, nodeId);
    expect(kept).toEqual({ ...was, reused: true, reusedFrom: { executionId: first.id } });
    expect(id).not.toBe(before);
  }
  const links = await home.read(second.id, 'retryOf', 'executionNumber', 'workflow');
  expect(links.retryOf).toEqual({ id: first.id, name: expect.any(String), status: 'FAILED' });
  expect(links.executionNumber).toBe(stepOf(first, 'a').output + 1);
  expect(await home.read(first.id)).toEqual(first);
});

test('fromStep begins earlier, also of one that completed; a retry without it runs that one as a whole', async () => {
  const home = await makeHome();
  const graph = {
    nodes: [remote('a', '{{ execution.number }}'), say('b', '{{ execution.number }}'), remote('c')],
    edges: chain('a', 'b', 'c'),
  };
  const first = await home.run(graph);
  const second = await retried(home, first.id, { fromStep: 'b' });
  expect([reused(second), stepOf(second, 'a').output, stepOf(second, 'b').output]).toEqual([['a'], 1, 2]);
  const third = await retried(home, second.id, { fromStep: 'c' });
  expect([reused(third), stepOf(third, 'a').output, stepOf(third, 'b').output]).toEqual([['a', 'b'], 1, 2]);
  const whole = await retried(home, first.id);
  expect([reused(whole), stepOf(whole, 'a').output]).toEqual([[], 4]);
});

test('input replaces the trigger: as a whole, or for the steps from a step on', async () => {
  const home = await makeHome();
  const field = { key: 'n', label: 'N', type: 'number', required: true };
  const graph = {
    trigger: manual(field),
    nodes: [remote('a'), say('b', '{{ trigger.n }}')],
    edges: chain('a', 'b'),
  };
  const first = await home.run(graph, { n: 1 });
  const whole = await retried(home, first.id, { input: { n: 2 } });
  expect([stepOf(whole, 'a').output, stepOf(whole, 'b').output, reused(whole)]).toEqual(['a', 2, []]);
  const part = await retried(home, first.id, { input: { n: 3 }, fromStep: 'b' });
  expect([stepOf(part, 'a').output, stepOf(part, 'b').output, reused(part)]).toEqual(['a', 3, ['a']]);
  const refused = await retry(home, first.id, { again: true, input: { n: 'two' } });
  expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([
    400,
    'VALIDATION_FAILED',
    'input.n',
  ]);
});

test('the original version runs, or the latest: then only unchanged nodes are kept', async () => {
  const home = await makeHome();
  const slug = `w-${randomUUID()}`;
  const graph = (b: number, c: object) => ({
    slug,
    nodes: [remote('a'), say('b', b), action('c', 'core.assert', { ...c, message: 'No' })],
    edges: chain('a', 'b', 'c'),
  });
  const first = await home.ended(await home.execute(await home.deploy(graph(1, { condition: false }))));
  await home.deploy(graph(1, { condition: true }));
  expect((await retried(home, first.id, { version: 'original' })).status).toBe('FAILED');
  const mended = await retried(home, first.id, { version: 'latest' });
  expect([mended.status, reused(mended)]).toEqual(['COMPLETED', ['a', 'b']]);
  await home.deploy(graph(2, { condition: true }));
  const changed = await retried(home, first.id, { version: 'latest' });
  expect([reused(changed), stepOf(changed, 'b').output]).toEqual([['a'], 2]);
  expect((await retried(home, mended.id, { fromStep: 'c', version: 'original' })).status).toBe('COMPLETED');
});

test('branches: cancelled steps run again, skipped ones stay skipped, a join reads the kept ones', async () => {
  const home = await makeHome();
  const mend = await unready(home);
  const first = await home.run({
    nodes: [
      control('if', 'condition', { condition: true }),
      remote('yes'),
      remote('no'),
      action('caught', 'testing.fail', { message: 'Known' }, { onError: 'continue' }),
      question('ask'),
      check('bad'),
      say('join', '{{ [steps.yes.output, steps.caught.error.message, steps.ask.output.answer] }}'),
    ],
    // The failing node waits until the other branches have reached their places.
    edges: edges('if:true>yes', 'if:false>no', 'yes>bad', 'caught>bad', 'bad>join', 'ask>join', 'no>join'),
  });
  expect(statuses(first)).toMatchObject({ yes: 'COMPLETED', caught: 'FAILED', bad: 'FAILED', ask: 'CANCELLED' });
  await mend();
  const { body } = await retry(home, first.id);
  await home.asked(body.executionId, 'ask');
  expect((await home.submit(body.executionId, 'ask', { answer: 'yes' })).status).toBe(200);
  const second = await home.ended(body.executionId);
  expect(reused(second).sort()).toEqual(['caught', 'if', 'yes']);
  expect(statuses(second).no).toBeUndefined();
  expect([second.status, second.output]).toEqual(['COMPLETED', ['yes', 'Known', 'yes']]);
});

test('an answer that was given is kept: nobody is asked again', async () => {
  const home = await makeHome();
  const mend = await unready(home);
  const graph = {
    nodes: [question('ask'), check('c'), say('d', '{{ steps.ask.output.answer }}')],
    edges: chain('ask', 'c', 'd'),
  };
  const firstId = await home.execute(await home.deploy(graph));
  await home.asked(firstId, 'ask');
  await home.submit(firstId, 'ask', { answer: 'blue' });
  await home.ended(firstId);
  await mend();
  const second = await retried(home, firstId);
  expect([second.output, reused(second)]).toEqual(['blue', ['ask']]);
  expect((await home.submit(second.id, 'ask', { answer: 'red' })).status).toBe(409);
});

test('an execution that only its output failed is retried to its end', async () => {
  const home = await makeHome();
  const slug = `w-${randomUUID()}`;
  const graph = { slug, nodes: [remote('a', { n: 1 })] };
  const first = await home.ended(
    await home.execute(await home.deploy({ ...graph, output: '{{ steps.a.output.none }}' })),
  );
  expect(first).toMatchObject({ status: 'FAILED', output: null });
  await home.deploy({ ...graph, output: '{{ steps.a.output.n }}' });
  const second = await retried(home, first.id, { version: 'latest' });
  expect([second.status, second.output, reused(second)]).toEqual(['COMPLETED', 1, ['a']]);
});

test('ad-hoc runs are retried with their own definition', async () => {
  const home = await makeHome();
  const mend = await unready(home);
  const steps = [
    { id: 'a', appId: 'testing', actionId: 'succeed', inputs: { output: 5 } },
    { id: 'b', appId: 'core', actionId: 'assert', inputs: { condition: '{{ variables.ready }}' } },
    { id: 'c', appId: 'core', actionId: 'transform', inputs: { value: '{{ steps.a.output }}' } },
  ];
  const run = await home.api('POST', '/api/runs', { body: { steps } });
  expect(run.body.status).toBe('FAILED');
  await mend();
  const second = await retried(home, run.body.executionId);
  expect([second.status, second.output, reused(second)]).toEqual(['COMPLETED', 5, ['a']]);
  expect((await home.read(second.id, 'source')).source).toBe('SDK');
  const latest = await retry(home, run.body.executionId, { again: true, version: 'latest' });
  expect([latest.status, latest.body.code]).toEqual([400, 'RETRY_NOT_ALLOWED']);
});

test('a webhook is retried with the request that started it', async () => {
  const home = await makeHome();
  const mend = await unready(home);
  const graph = {
    trigger: webhook(),
    nodes: [check('a'), say('b', '{{ trigger.body.order }}')],
    edges: chain('a', 'b'),
  };
  const workflowId = await home.deploy(graph);
  const started = await home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body: { order: 7 } });
  const firstId = String(started.headers.get('x-execution-id'));
  expect((await home.ended(firstId)).status).toBe('FAILED');
  await mend();
  expect((await retried(home, firstId)).output).toBe(7);
});

test('the same Idempotency-Key retries once', async () => {
  const home = await makeHome();
  const first = await home.run({ nodes: [say('a')] });
  const key = { 'idempotency-key': randomUUID() };
  const [one, two] = [await retry(home, first.id, {}, key), await retry(home, first.id, {}, key)];
  expect([two.status, two.body]).toEqual([one.status, one.body]);
  expect(two.headers.get('idempotency-replayed')).toBe('true');
  await home.ended(one.body.executionId);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(2);
});

test('an execution that may not be retried is refused, and nothing is stored', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [question('ask'), say('b')], edges: chain('ask', 'b'), slug: 'w' });
  const running = await home.execute(workflowId);
  await home.asked(running, 'ask');
  const refusals: [string, object, number, string][] = [[running, {}, 400, 'RETRY_NOT_ALLOWED']];
  const failed = (await home.run({ nodes: [control('stop', 'stop', { outcome: 'failed' }), say('b')], edges: [] })).id;
  const skipped = await home.run({
    nodes: [control('if', 'condition', { condition: true }), say('no')],
    edges: edges('if:false>no'),
  });
  refusals.push(
    [skipped.id, { fromStep: 'no' }, 400, 'RETRY_NOT_ALLOWED'],
    [skipped.id, { fromStep: 'nowhere' }, 400, 'VALIDATION_FAILED'],
    [skipped.id, { fromStep: 5 }, 400, 'VALIDATION_FAILED'],
    [skipped.id, { version: 'newest' }, 400, 'VALIDATION_FAILED'],
    [skipped.id, { from: 'if' }, 400, 'VALIDATION_FAILED'],
    [randomUUID(), {}, 404, 'NOT_FOUND'],
    ['no-id', {}, 404, 'NOT_FOUND'],
  );
  const count = (await home.api('GET', '/api/executions')).body.length;
  for (const [id, body, status, code] of refusals) {
    const answer = await retry(home, id, body);
    expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
  }
  await home.submit(running, 'ask', { answer: 'x' });
  await home.ended(running);
  await home.deploy({ nodes: [say('b')], slug: 'w', isActive: false });
  const inactive = await retry(home, running);
  expect([inactive.status, inactive.body.code]).toEqual([400, 'WORKFLOW_NOT_EXECUTABLE']);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(count);
  expect((await retried(home, failed)).status).toBe('FAILED');
});
