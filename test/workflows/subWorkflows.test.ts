// test: pglite
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { action, chain, control, edges, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const set = (id: string, value: string, more = {}) => action(id, 'core.transform', { value }, more);
const call = (workflowId: string, inputs = {}, more = {}) =>
  control('call', 'runWorkflow', { workflowId, ...inputs }, more);
const doubler = () =>
  home.deploy({
    trigger: manual({ key: 'n', label: 'N', type: 'number', required: true }),
    nodes: [action('wait', 'testing.wait', { ms: 1 }), set('double', '{{ trigger.n * 2 }}')],
    edges: chain('wait', 'double'),
  });

test("another workflow's output is the step's, and both executions are linked", async () => {
  const childId = await doubler();
  const execution = await home.run(
    {
      nodes: [call(childId, { input: { n: '{{ trigger.n }}' } }), set('after', '{{ steps.call.output + 1 }}')],
      edges: chain('call', 'after'),
    },
    { n: 20 },
  );
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 41 });
  const { childExecutions } = await home.read(execution.id, 'childExecutions');
  expect(childExecutions).toEqual([expect.objectContaining({ status: 'COMPLETED' })]);
  const child = await home.read(childExecutions[0].id, 'parentExecution');
  expect(child).toMatchObject({ output: 40, parentExecution: { id: execution.id } });
});

test('by slug, in a loop, side by side', async () => {
  const slug = `child-${Date.now()}`;
  await home.deploy({ slug, nodes: [set('n', '{{ trigger.n }}')] });
  const execution = await home.run({
    nodes: [
      control('each', 'forEach', { items: [1, 2, 3], concurrency: 3 }),
      control('call', 'runWorkflow', { slug, input: { n: '{{ loop.item }}' } }, { parentId: 'each' }),
    ],
  });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: [1, 2, 3] });
});

test('without waiting, the step has the id, and the other continues on its own', async () => {
  const childId = await home.deploy({ nodes: [question('ask')] });
  const execution = await home.run({ nodes: [call(childId, { wait: false })] });
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { executionId: expect.any(String) } });
  const { executionId } = execution.output;
  await home.asked(executionId, 'ask');
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('a failure of the other is one of the step, which may be routed', async () => {
  const childId = await home.deploy({ nodes: [action('bad', 'testing.fail', { message: 'no luck' })] });
  const execution = await home.run({
    nodes: [
      call(childId, {}, { onError: 'route' }),
      set('caught', '{{ steps.call.error.code + ": " + steps.call.error.message }}'),
    ],
    edges: edges('call:error>caught'),
  });
  expect(execution.output).toContain('CHILD_FAILED');
  expect(execution.output).toContain('no luck');
});

test.each([
  ['an unknown workflow', () => Promise.resolve('00000000-0000-7000-8000-000000000000'), {}, 'There is no workflow'],
  ['input that does not fit', doubler, { input: { n: '{{ "many" }}' } }, 'input.n'],
])('%s is an error', async (_name, target, inputs, message) => {
  const execution = await home.run({ nodes: [call(await target(), inputs)] });
  expect(execution.status).toBe('FAILED');
  expect(execution.statusMessage).toContain(message);
});

/** Stores `One`, which starts `Other`, which starts `One` again; `back` refers to it. */
async function circle(back: (slug: string) => object): Promise<string> {
  const slug = `circle-${randomUUID()}`;
  const other = await home.deploy({ name: 'Other', nodes: [control('back', 'runWorkflow', back(slug) as JsonObject)] });
  return home.deploy({ slug, name: 'One', nodes: [call(other)] });
}

test('workflows that start each other in a circle are refused at the start, and the error shows the circle', async () => {
  const one = await circle((slug) => ({ slug }));
  const refused = await home.api('POST', `/api/executions/workflows/${one}/execute`, { body: {} });
  expect(refused).toMatchObject({ status: 400, body: { code: 'WORKFLOW_NOT_EXECUTABLE' } });
  expect(refused.body.detail).toBe('call: workflows start each other: One → Other → One');
  // Starts from outside the circle are rejected too, until it is broken.
  const outside = await home.deploy({ name: 'Outside', nodes: [call(one)] });
  const into = await home.api('POST', `/api/executions/workflows/${outside}/execute`, { body: {} });
  expect(into.body.detail).toBe('call: workflows start each other: Outside → One → Other → One');
  const { body } = await home.api('GET', `/api/workflows/${one}?expansion=slug`);
  await home.deploy({ slug: body.slug, name: 'One', nodes: [set('n', 'opened')] });
  expect(await home.ended(await home.execute(outside))).toMatchObject({ status: 'COMPLETED', output: 'opened' });
});

test('a circle that an expression closes fails the step that closes it', async () => {
  const one = await circle((slug) => ({ slug: `{{ "${slug}" }}` }));
  const execution = await home.ended(await home.execute(one));
  expect(execution.status).toBe('FAILED');
  expect(execution.statusMessage).toContain('One → Other → One');
});

test('where no caller waits for a start, the status message of the execution shows the circle', async () => {
  const slug = `circle-${randomUUID()}`;
  const back = control('back', 'runWorkflow', { slug });
  const id = await home.deploy({ slug, name: 'Hook', trigger: webhook(), nodes: [back] });
  const answer = await fetch(`${home.url}/api/webhooks/workflows/${id}`, { method: 'POST' });
  const executionId = answer.headers.get('x-execution-id') ?? '';
  expect((await home.ended(executionId)).statusMessage).toContain('Hook → Hook');
});

test('cancelling an execution cancels the one that it waits for', async () => {
  const childId = await home.deploy({ nodes: [question('ask')] });
  const executionId = await home.execute(await home.deploy({ nodes: [call(childId)] }));
  await home.until(executionId, ({ executionPath }) => executionPath[0]?.input?.executionId !== undefined);
  const { childExecutions } = await home.read(executionId, 'childExecutions');
  await home.asked(childExecutions[0].id, 'ask');
  const cancelled = await home.api('POST', `/api/executions/${executionId}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
  expect((await home.ended(childExecutions[0].id)).status).toBe('CANCELLED');
});
