// test: pglite
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { action, chain, control, edges, question } from '../setup/workspace/graph.ts';
import { makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

const say = (id: string, value: unknown = id) => action(id, 'core.transform', { value } as JsonObject);
const remote = (id: string, value: unknown = id) => action(id, 'testing.succeed', { output: value } as JsonObject);

test.each([
  [20, { check: 'COMPLETED', yes: 'COMPLETED', after: 'COMPLETED' }, { result: true }],
  [5, { check: 'COMPLETED', no: 'COMPLETED', after: 'COMPLETED' }, { result: false }],
])('a condition selects one branch; the other one is not in the path (%i)', async (n, expected, result) => {
  const home = await makeHome();
  const execution = await home.run(
    {
      nodes: [
        control('check', 'condition', { condition: '{{ trigger.n > 10 }}' }),
        say('yes'),
        remote('no'),
        say('after'),
      ],
      edges: edges('check:true>yes', 'check:false>no', 'yes>after', 'no>after'),
    },
    { n },
  );
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 'after' });
  expect(statuses(execution)).toEqual(expected);
  expect(stepOf(execution, 'check').output).toEqual(result);
});

test.each([
  ['b', 'second'],
  ['z', 'other'],
  [2, 'number'],
])('a switch takes the first case that holds, or default: %j', async (kind, taken) => {
  const home = await makeHome();
  const cases = [
    { name: 'first', equals: 'a' },
    { name: 'second', equals: 'b' },
    { name: 'again', equals: 'b' },
    { name: 'number', equals: 2 },
  ];
  const execution = await home.run(
    {
      nodes: [
        control('route', 'switch', { value: '{{ trigger.kind }}', cases }),
        ...['first', 'second', 'again', 'number', 'other'].map((id) => say(id)),
      ],
      edges: edges(
        'route:first>first',
        'route:second>second',
        'route:again>again',
        'route:number>number',
        'route:default>other',
      ),
    },
    { kind },
  );
  expect(execution.output).toBe(taken);
  expect(stepOf(execution, 'route').output).toEqual({ case: taken === 'other' ? 'default' : taken });
  expect(Object.keys(statuses(execution))).toEqual(['route', taken]);
});

test('a switch by expressions', async () => {
  const home = await makeHome();
  const cases = [
    { name: 'small', when: '{{ trigger.n < 10 }}' },
    { name: 'large', when: '{{ trigger.n >= 10 }}' },
  ];
  const graph = {
    nodes: [control('route', 'switch', { cases }), say('small'), say('large')],
    edges: edges('route:small>small', 'route:large>large'),
  };
  expect((await home.run(graph, { n: 3 })).output).toBe('small');
  expect((await home.run(graph, { n: 30 })).output).toBe('large');
});

test('a condition that is not a boolean fails, with text and place', async () => {
  const home = await makeHome();
  const execution = await home.run(
    { nodes: [control('check', 'condition', { condition: '{{ trigger.n }}' }, { name: 'Is it so' })] },
    { n: 5 },
  );
  expect(execution).toMatchObject({ status: 'FAILED', output: null });
  const { error } = stepOf(execution, 'check');
  expect(error).toMatchObject({ code: 'EXPRESSION_FAILED', attempt: 1 });
  expect(error.message).toContain('trigger.n');
  expect(error.message).toContain('expected true or false');
  expect(execution.statusMessage).toBe(`Is it so: ${error.message}`);
});

test('branches run in parallel and join when all are decided', async () => {
  const home = await makeHome();
  const held: ServerResponse[] = [];
  const server = await loopback((_, response) => {
    held.push(response);
    // Neither request is answered before both have arrived.
    if (held.length < 2) return;
    for (const each of held) each.writeHead(200, { 'content-type': 'application/json' }).end('1');
  });
  const call = (id: string) => action(id, 'http.request', { method: 'GET', url: server.url });
  const execution = await home.run({
    nodes: [
      call('slow'),
      call('slower'),
      control('gate', 'condition', { condition: false }),
      say('shut'),
      action('join', 'core.transform', { value: '{{ steps.slow.output.body + steps.slower.output.body }}' }),
    ],
    edges: edges('gate:true>shut', 'shut>join', 'slow>join', 'slower>join'),
  });
  expect(execution.status).toBe('COMPLETED');
  expect(statuses(execution)).toEqual({ slow: 'COMPLETED', slower: 'COMPLETED', gate: 'COMPLETED', join: 'COMPLETED' });
  const join = stepOf(execution, 'join');
  for (const id of ['slow', 'slower']) expect(join.startedAt >= stepOf(execution, id).stoppedAt).toBe(true);
  expect(join.output).toBe(2);
});

test('a join that no branch reaches is skipped, and so on downstream', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      control('a', 'condition', { condition: true }),
      control('b', 'condition', { condition: true }),
      say('join'),
      remote('far'),
      say('end'),
    ],
    edges: edges('a:false>join', 'b:false>join', 'join>far', 'far>end'),
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { a: { result: true }, b: { result: true } } });
  expect(Object.keys(statuses(execution)).sort()).toEqual(['a', 'b']);
});

test('thirty branches fan out and in', async () => {
  const home = await makeHome();
  const ids = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const execution = await home.run({
    nodes: [
      say('start'),
      ...ids.map((id, index) => (index % 2 ? say(id, index) : remote(id, index))),
      say('sum', `{{ [${ids.map((id) => `steps.${id}.output`).join(', ')}].sum() }}`),
    ],
    edges: edges(...ids.flatMap((id) => [`start>${id}`, `${id}>sum`])),
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 435 });
  expect(execution.executionPath).toHaveLength(32);
});

test.each(['inline', 'remote'])('onError fail: the execution ends with the message of the step (%s)', async (kind) => {
  const home = await makeHome();
  const bad =
    kind === 'remote'
      ? action('bad', 'testing.fail', { message: 'No stock', retryable: false }, { name: 'Fetch order' })
      : action('bad', 'core.transform', { value: '{{ trigger.none }}' }, { name: 'Fetch order' });
  const execution = await home.run({
    nodes: [say('before'), bad, say('after')],
    edges: chain('before', 'bad', 'after'),
  });
  expect(execution.status).toBe('FAILED');
  expect(execution.output).toBeNull();
  expect(statuses(execution)).toEqual({ before: 'COMPLETED', bad: 'FAILED' });
  const { error, output } = stepOf(execution, 'bad');
  expect(execution.statusMessage).toBe(`Fetch order: ${error.message}`);
  expect(output).toBeNull();
  expect(error).toMatchObject(
    kind === 'remote'
      ? { code: 'TEST_FAILURE', message: 'No stock', attempt: 1 }
      : { code: 'EXPRESSION_FAILED', attempt: 1 },
  );
});

test.each(['inline', 'remote'])('onError continue and route: the error can be read (%s)', async (kind) => {
  const home = await makeHome();
  const bad = (id: string, onError: 'continue' | 'route') =>
    kind === 'remote'
      ? action(id, 'testing.fail', { message: 'No stock' }, { onError })
      : action(id, 'core.assert', { condition: false, message: 'No stock' }, { onError });
  const execution = await home.run({
    nodes: [
      bad('goesOn', 'continue'),
      say('next', '{{ steps.goesOn.error.message }}'),
      bad('routes', 'route'),
      say('normal'),
      say('handler', '{{ steps.routes.error.message }}'),
    ],
    edges: edges('goesOn>next', 'routes>normal', 'routes:error>handler'),
  });
  expect(execution.status).toBe('COMPLETED');
  expect(statuses(execution)).toEqual({
    goesOn: 'FAILED',
    next: 'COMPLETED',
    routes: 'FAILED',
    handler: 'COMPLETED',
  });
  expect(execution.output.next).toContain('No stock');
  expect(execution.output.handler).toContain('No stock');
});

test('onError route without an error: the error edge is not taken', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [action('good', 'testing.succeed', {}, { onError: 'route' }), say('normal'), say('handler')],
    edges: edges('good>normal', 'good:error>handler'),
  });
  expect(statuses(execution)).toEqual({ good: 'COMPLETED', normal: 'COMPLETED' });
});

test.each(['completed', 'failed'] as const)('stop (%s) ends the execution and cancels open steps', async (outcome) => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    nodes: [
      action('long', 'testing.wait', { ms: 60_000 }),
      question('asked'),
      action('again', 'testing.fail', {}, { retry: { maximumAttempts: 3, initialIntervalMs: 60_000 } }),
      question('go'),
      control('halt', 'stop', { outcome, message: 'Enough of {{ trigger.what }}', output: { n: 1 } }),
      say('never'),
    ],
    edges: edges('go>halt', 'long>never'),
  });
  const executionId = await home.execute(workflowId, { what: 'this' });
  await home.until(executionId, (snapshot) => {
    const now = snapshot.executionPath ? statuses(snapshot) : {};
    return (
      now.long === 'RUNNING' && now.again === 'RETRYING' && now.asked === 'NEEDS_INPUT' && now.go === 'NEEDS_INPUT'
    );
  });
  expect((await home.submit(executionId, 'go', { answer: 'x' })).status).toBe(200);
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({
    status: outcome.toUpperCase(),
    statusMessage: 'Enough of this',
    output: { n: 1 },
    pendingInput: [],
  });
  expect(statuses(execution)).toEqual({
    long: 'CANCELLED',
    asked: 'CANCELLED',
    again: 'CANCELLED',
    go: 'COMPLETED',
    halt: 'COMPLETED',
  });
  for (const step of execution.executionPath) expect(step.stoppedAt).not.toBeNull();
  expect(await home.submit(executionId, 'asked', { answer: 'late' })).toMatchObject({ status: 409 });
});

test('an uncaught failure cancels open steps', async () => {
  const home = await makeHome();
  const execution = await home.run({
    nodes: [
      action('long', 'testing.wait', { ms: 60_000 }),
      question('asked'),
      action('short', 'testing.wait', { ms: 100 }),
      action('bad', 'testing.fail', { message: 'Broken' }),
    ],
    edges: edges('short>bad'),
  });
  expect(execution).toMatchObject({ status: 'FAILED', statusMessage: 'Fail: Broken' });
  expect(statuses(execution)).toEqual({ long: 'CANCELLED', asked: 'CANCELLED', short: 'COMPLETED', bad: 'FAILED' });
});

test.each([
  ['the one last node', { nodes: [say('a', 1), say('b', 2)], edges: chain('a', 'b') }, 2],
  [
    'several branches by id',
    { nodes: [say('a', 1), remote('b', { x: [2] }), say('c')], edges: chain('a', 'c') },
    { b: { x: [2] }, c: 'c' },
  ],
  [
    'its own output',
    {
      nodes: [say('a', 1), remote('b', 2)],
      edges: chain('a', 'b'),
      output: { sum: '{{ steps.a.output + steps.b.output }}', fixed: true },
    },
    { sum: 3, fixed: true },
  ],
  [
    'one of an earlier node',
    { nodes: [say('a', 1), remote('b', 2)], edges: chain('a', 'b'), output: '{{ steps.a.output }}' },
    1,
  ],
  ['null of the last', { nodes: [say('a', 1), remote('b', null)], edges: chain('a', 'b') }, null],
])('output: %s', async (_, graph, expected) => {
  const home = await makeHome();
  expect(await home.run(graph)).toMatchObject({ status: 'COMPLETED', output: expected });
});

test('an output that cannot be computed fails the execution', async () => {
  const home = await makeHome();
  for (const last of [say('last'), remote('last')]) {
    const execution = await home.run({ nodes: [last], output: '{{ steps.last.output.none }}' });
    expect(execution).toMatchObject({ status: 'FAILED', output: null });
    expect(execution.statusMessage).toMatch(/^Output: .*none/);
    expect(statuses(execution)).toEqual({ last: 'COMPLETED' });
  }
});

test('a failed expression names text, position and expectation', async () => {
  const home = await makeHome();
  const execution = await home.run(
    { nodes: [action('set', 'core.set', { values: { deep: [{ at: 'x {{ trigger.order.total + 1 }}' }] } })] },
    { order: { sum: 1 } },
  );
  const { error } = stepOf(execution, 'set');
  expect(error.code).toBe('EXPRESSION_FAILED');
  expect(error.message).toContain('trigger.order.total');
  expect(error.message).toContain('values.deep[0].at');
  expect(error.message).toMatch(/position \d+|at \d+/);
});

test('values keep their types through expressions, storage and steps', async () => {
  const home = await makeHome();
  const value = {
    n: 1.5,
    big: 9_007_199_254_740_991,
    t: true,
    none: null,
    list: [1, 'two', { three: [] }],
    text: 'ä\u2028"\\',
  };
  const execution = await home.run(
    {
      nodes: [
        say('whole', '{{ trigger.value }}'),
        remote('far', '{{ steps.whole.output }}'),
        say('mixed', 'n={{ steps.far.output.n }} t={{ steps.far.output.t }}'),
      ],
      edges: chain('whole', 'far', 'mixed'),
    },
    { value },
  );
  expect(stepOf(execution, 'far')).toMatchObject({ input: { output: value }, output: value });
  expect(execution.output).toBe('n=1.5 t=true');
});

test.each([
  ['stop', control('end', 'stop', { outcome: 'completed' }), 'COMPLETED'],
  ['a failure', action('end', 'core.assert', { condition: false }), 'FAILED'],
])('%s in one breath with a question closes the question too', async (_, end, status) => {
  const home = await makeHome();
  const execution = await home.run({ nodes: [question('ask'), end] });
  expect(execution).toMatchObject({ status, pendingInput: [] });
  expect(statuses(execution)).toEqual({ ask: 'CANCELLED', end: status });
  expect((await home.submit(execution.id, 'ask', { answer: 'x' })).status).toBe(409);
});
