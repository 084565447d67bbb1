// test: pglite
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { api } from '../setup/api/client.ts';
import { action, chain, control, edges, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome, statuses } from '../setup/workspace/home.ts';

const say = (id: string, value: unknown) => action(id, 'core.transform', { value } as JsonObject);
const pathOf = (workflowId: string) => `/api/webhooks/workflows/${workflowId}`;
const finished = webhook({ respond: 'whenFinished' });

async function hooked(graph: Parameters<Awaited<ReturnType<typeof makeHome>>['deploy']>[0]) {
  const home = await makeHome();
  return { home, path: pathOf(await home.deploy(graph)), open: api(home.url) };
}

test('by default the answer comes at once and is empty', async () => {
  const { home, path, open } = await hooked({ trigger: webhook(), nodes: [say('body', '{{ trigger.body }}')] });
  const answer = await open('POST', path, { body: { order: 17 } });
  expect(answer).toMatchObject({ status: 200, body: undefined });
  const executionId = answer.headers.get('x-execution-id') ?? '';
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: { order: 17 } });
});

test.each(['POST', 'PUT', 'GET'])('%s: method, headers, query and body are the trigger', async (method) => {
  const { path, open } = await hooked({ trigger: finished, nodes: [say('all', '{{ trigger }}')] });
  const body = method === 'GET' ? {} : { body: { list: [1, null, 'ä'] } };
  const answer = await open(method, `${path}?a=1&b=x%20y&a=2`, { ...body, headers: { 'X-Custom': 'Kept' } });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    method,
    headers: { 'x-custom': 'Kept' },
    query: { b: 'x y' },
    body: method === 'GET' ? null : { list: [1, null, 'ä'] },
  });
  expect(answer.body.query.a).toEqual(['1', '2']);
});

test.each([
  ['an object', { a: 1 }],
  ['a list', [1, 2]],
  ['a text', 'hello'],
  ['a number', 5],
  ['false', false],
  ['null', null],
])('whenFinished answers with the output: %s', async (_, value) => {
  const { path, open } = await hooked({ trigger: finished, nodes: [say('out', value)] });
  const answer = await open('POST', path, { body: {} });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.body).toEqual(value);
});

test('a respond node sets status, headers and body; the next nodes continue', async () => {
  const { home, path } = await hooked({
    trigger: finished,
    nodes: [
      control('reply', 'respond', {
        status: 418,
        headers: { 'X-Tea': '{{ trigger.body.tea }}', 'content-type': 'text/plain' },
        body: 'short and stout',
      }),
      question('ask'),
    ],
    edges: chain('reply', 'ask'),
  });
  // The workflow decides the answer, so openapi.yaml does not describe it.
  const answer = await fetch(new URL(path, home.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': home.apiKey },
    body: JSON.stringify({ tea: 'green' }),
  });
  expect(answer.status).toBe(418);
  expect(answer.headers.get('x-tea')).toBe('green');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await answer.text()).toBe('short and stout');
  const executionId = answer.headers.get('x-execution-id') ?? '';
  const waiting = await home.asked(executionId, 'ask');
  expect(statuses(waiting).reply).toBe('COMPLETED');
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('the first of two respond nodes answers', async () => {
  const { path, open } = await hooked({
    trigger: finished,
    nodes: [control('one', 'respond', { body: { n: 1 } }), control('two', 'respond', { body: { n: 2 } })],
    edges: chain('one', 'two'),
  });
  expect((await open('POST', path, { body: {} })).body).toEqual({ n: 1 });
});

test('a failed execution is a problem with its id', async () => {
  const { home, path, open } = await hooked({
    trigger: finished,
    nodes: [action('bad', 'testing.fail', { message: 'No stock' }, { name: 'Reserve' })],
  });
  const answer = await open('POST', path, { body: {} });
  expect(answer).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED', detail: 'Reserve: No stock' } });
  expect(await home.read(answer.body.executionId)).toMatchObject({ status: 'FAILED' });
});

test('a secret is asked for, and never shown to the workflow', async () => {
  const { home, path, open } = await hooked({
    trigger: webhook({ respond: 'whenFinished', secret: 'open sesame' }),
    nodes: [say('headers', '{{ trigger.headers }}')],
  });
  for (const secret of [undefined, '', 'open sesam', 'open sesame!', 'x'.repeat(4_000)]) {
    const answer = await open('POST', path, {
      body: {},
      headers: secret === undefined ? {} : { 'x-webhook-secret': secret },
    });
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  }
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
  const right = await open('POST', path, { body: {}, headers: { 'x-webhook-secret': 'open sesame' } });
  expect(right.status).toBe(200);
  expect(JSON.stringify(right.body)).not.toContain('sesame');
});

test('an unknown workflow, an inactive one and one without a webhook are the same 404', async () => {
  const home = await makeHome();
  const open = api(home.url);
  const nodes = [say('a', 1)];
  const inactive = await home.deploy({ trigger: webhook(), nodes, isActive: false });
  const byHand = await home.deploy({ nodes });
  const answers = [];
  for (const id of [inactive, byHand, '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', 'nothing']) {
    const { status, body } = await open('POST', pathOf(id), { body: {} });
    const { requestId: _, ...rest } = body;
    answers.push({ status, ...rest });
  }
  expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect((await home.api('GET', '/api/executions')).body).toEqual([]);
});

test.each(['immediately', 'whenFinished'])('one Idempotency-Key is one execution (%s)', async (respond) => {
  const { home, path, open } = await hooked({
    trigger: webhook({ respond }),
    nodes: [say('number', '{{ execution.number }}')],
  });
  const headers = { 'idempotency-key': 'delivery-1' };
  const first = await open('POST', path, { body: { n: 1 }, headers });
  const again = await open('POST', path, { body: { n: 1 }, headers });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.headers.get('x-execution-id')).toBe(first.headers.get('x-execution-id'));
  expect(again.body).toEqual(first.body);
  expect(await open('POST', path, { body: { n: 2 }, headers })).toMatchObject({ status: 409 });
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(1);
});

test('a key is of one workflow, and a body written otherwise is the same request', async () => {
  const nodes = [say('body', '{{ trigger.body }}')];
  const { home, path, open } = await hooked({ trigger: finished, nodes });
  const other = pathOf(await home.deploy({ trigger: finished, nodes }));
  const headers = { 'idempotency-key': 'delivery-1' };
  const first = await open('POST', path, { body: '{"a": 1.0, "b": ["x"]}', headers });
  const again = await open('POST', path, { body: '{ "b":["\\u0078"], "a":1 }', headers });
  expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([200, 'true', first.body]);
  expect((await open('POST', path, { body: '{"a": 1, "b": ["y"]}', headers })).status).toBe(409);
  const elsewhere = await open('POST', other, { body: '{"b": ["y"]}', headers });
  expect([elsewhere.status, elsewhere.body, elsewhere.headers.get('idempotency-replayed')]).toEqual([
    200,
    { b: ['y'] },
    null,
  ]);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(2);
});

test('a failure is not stored under its key: another try reads the same execution', async () => {
  const { home, path, open } = await hooked({
    trigger: finished,
    nodes: [action('bad', 'testing.fail', { message: 'No stock' })],
  });
  const headers = { 'idempotency-key': 'delivery-1' };
  const first = await open('POST', path, { body: {}, headers });
  const again = await open('POST', path, { body: {}, headers });
  expect([first.status, again.status]).toEqual([500, 500]);
  expect(again.headers.get('idempotency-replayed')).toBeNull();
  expect(again.body.executionId).toBe(first.body.executionId);
  expect((await home.api('GET', '/api/executions')).body).toHaveLength(1);
});

test('a workflow without nodes that can run answers null', async () => {
  const { path, open } = await hooked({
    trigger: finished,
    nodes: [control('gate', 'condition', { condition: false }), say('shut', 1)],
    edges: edges('gate:true>shut'),
    output: '{{ null }}',
  });
  expect(await open('POST', path, { body: {} })).toMatchObject({ status: 200, body: null });
});
