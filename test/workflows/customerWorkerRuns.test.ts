import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure, Context, heartbeat, sleep } from '@temporalio/activity';
import { actionToolName } from '../../domain/agent/toolNames.ts';
import { gate } from '../setup/jest/gate.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { makeAgentHome, tool } from '../setup/workspace/agentHome.ts';
import { action, chain, control, type Graph, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';
import { type OwnApp, ownApp, ownWorker } from '../setup/workspace/ownWorker.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

let home: Home;
let app: OwnApp;
beforeAll(async () => {
  home = await makeHome();
});

const work = (id: string, more: object = {}, { slug } = app) => action(id, `${slug}.work`, { value: id }, more);
const echoes = { work: async ({ inputs }: Loose) => inputs.value };

async function started(graph: Graph): Promise<string> {
  return home.execute(await home.deploy(graph));
}

/** Starts an execution whose first step waits for a worker. */
async function waiting(graph: Graph): Promise<string> {
  const id = await started(graph);
  await home.until(id, ({ status }) => status === 'WAITING');
  return id;
}

test('questions before and after a step, and one next to it, keep their places', async () => {
  app = await ownApp(home);
  await ownWorker(app, echoes);
  const id = await started({
    nodes: [question('before'), work('a'), question('after'), question('aside')],
    edges: chain('before', 'a', 'after'),
  });
  await home.asked(id, 'before');
  await home.submit(id, 'before', { answer: 'x' });
  await home.asked(id, 'after');
  expect(statuses(await home.read(id))).toMatchObject({ a: 'COMPLETED', aside: 'NEEDS_INPUT' });
  await home.submit(id, 'aside', { answer: 'y' });
  await home.submit(id, 'after', { answer: 'z' });
  expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: { after: { answer: 'z' } } });
});

test('an execution that waits for a worker counts towards the limit; those that it holds run after it', async () => {
  app = await ownApp(home);
  const workflowId = await home.deploy({ nodes: [work('a')], maxConcurrent: 1 });
  const first = await home.execute(workflowId);
  const second = await home.execute(workflowId);
  await home.until(first, ({ status }) => status === 'WAITING');
  expect(await home.read(second, 'held')).toMatchObject({ status: 'PENDING', held: true });
  await ownWorker(app, echoes);
  for (const id of [first, second]) expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: 'a' });
});

test('a paused workflow holds a start, and its steps on a worker run after resume', async () => {
  app = await ownApp(home);
  await ownWorker(app, echoes);
  const workflowId = await home.deploy({ nodes: [work('a')] });
  await home.api('POST', `/api/workflows/${workflowId}/pause`);
  const id = await home.execute(workflowId);
  expect(await home.read(id, 'held')).toMatchObject({ status: 'PENDING', held: true, executionPath: [] });
  await home.api('POST', `/api/workflows/${workflowId}/resume`);
  expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: 'a' });
});

test('one action and a run of steps reach the worker', async () => {
  app = await ownApp(home);
  await ownWorker(app, echoes);
  const step = { appId: app.slug, actionId: 'work', inputs: { value: 7 } };
  const one = await home.api('POST', '/api/actions/run', { body: step });
  expect(one).toMatchObject({ status: 201, body: { status: 'COMPLETED', output: 7 } });
  const next = { ...step, inputs: { value: '{{ steps.step1.output + 1 }}' } };
  const two = await home.api('POST', '/api/runs', { body: { steps: [step, next] } });
  expect(two).toMatchObject({ status: 201, body: { status: 'COMPLETED', output: 8 } });
});

test('an agent calls an action of the worker as a tool', async () => {
  const agents = await makeAgentHome();
  const own = await ownApp(agents);
  await ownWorker(own, { work: async ({ inputs, call }: Loose) => ({ got: inputs.value, attempt: call.attempt }) });
  const used = tool(own.slug, 'work', { policy: 'auto' });
  const { body: agent } = await agents.api('POST', `/api/projects/${agents.projectId}/agents/upsert`, {
    body: {
      ...{ slug: `agent-${randomUUID()}`, instructions: 'Help.', model: 'm', aiConnectionId: agents.connectionId },
      tools: [used],
    },
  });
  const name = actionToolName(used);
  agents.provider.answer(callTools({ id: 'c', name, arguments: { value: 'x' } }), say('Done'));
  const message = { role: 'user', parts: [{ type: 'text', text: 'Do it' }] };
  const sent = await agents.api('POST', `/api/agents/${agent.id}/tasks/${randomUUID()}/message`, { body: { message } });
  expect(sent.status).toBe(200);
  const results = agents.provider.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(results).toMatchObject([{ content: JSON.stringify({ got: 'x', attempt: 1 }) }]);
});

test('a loop calls as many at once as its concurrency', async () => {
  app = await ownApp(home);
  let running = 0;
  let most = 0;
  const { after, goOn } = gate();
  await ownWorker(app, {
    work: async ({ inputs }: Loose) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) goOn();
      await after;
      await sleep(20);
      running -= 1;
      return inputs.value;
    },
  });
  const items = Array.from({ length: 9 }, (_, index) => index);
  const each = control('each', 'forEach', { items, concurrency: 3 });
  const inner = action('a', `${app.slug}.work`, { value: '{{ loop.item }}' }, { parentId: 'each' });
  expect(await home.run({ nodes: [each, inner] })).toMatchObject({ status: 'COMPLETED', output: items });
  expect(most).toBe(3);
});

test('an execution that is cancelled while it waits for a worker ends, and no worker gets its step', async () => {
  app = await ownApp(home);
  const cancelled = await waiting({ nodes: [work('cancelled')] });
  const other = await waiting({ nodes: [work('other')] });
  await home.api('POST', `/api/executions/${cancelled}/cancel`);
  expect(stepOf(await home.ended(cancelled), 'cancelled').status).toBe('CANCELLED');
  const calls: string[] = [];
  await ownWorker(app, {
    work: async ({ inputs }: Loose) => {
      calls.push(inputs.value);
    },
  });
  expect((await home.ended(other)).status).toBe('COMPLETED');
  expect(calls).toEqual(['other']);
});

test('a cancellation reaches a running workflow of the worker, and the execution ends after it', async () => {
  app = await ownApp(home);
  const notes: string[] = [];
  const { after: begun, goOn } = gate();
  const note = async (text: string) => {
    notes.push(text);
    if (text === 'begun') goOn();
  };
  await ownWorker(app, { note }, { withWorkflows: true });
  const id = await started({ nodes: [action('a', `${app.slug}.lasts`)] });
  await begun;
  await home.api('POST', `/api/executions/${id}/cancel`);
  expect(await home.ended(id)).toMatchObject({ status: 'CANCELLED', executionPath: [{ status: 'CANCELLED' }] });
  expect(notes).toEqual(['begun', 'tidied']);
});

test('nextRetryDelay is awaited, although the policy of the step is shorter', async () => {
  app = await ownApp(home);
  const at: number[] = [];
  await ownWorker(app, {
    work: async () => {
      at.push(performance.now());
      if (at.length === 1) throw ApplicationFailure.create({ message: 'busy', nextRetryDelay: '1500 milliseconds' });
      return 'done';
    },
  });
  const ended = await home.run({ nodes: [work('a', { retry: { maximumAttempts: 2, initialIntervalMs: 1 } })] });
  expect(stepOf(ended, 'a')).toMatchObject({ status: 'COMPLETED', attempt: 2, output: 'done' });
  expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(1_490);
});

test('an activity that outlives its time limit fails the step with TIMEOUT', async () => {
  app = await ownApp(home);
  await ownWorker(app, {
    work: async () => {
      for (; !Context.current().cancellationSignal.aborted; await sleep(50)) heartbeat();
    },
  });
  expect(stepOf(await home.run({ nodes: [work('a', { timeoutMs: 1_000 })] }), 'a')).toMatchObject({
    status: 'FAILED',
    error: { code: 'TIMEOUT', message: 'Not finished within 1 s' },
  });
});

test('the test of a node says at once that no worker polls its queue', async () => {
  const own = await ownApp(home);
  const run = async (actionId: string) => {
    const definition = { nodes: [action('a', `${own.slug}.${actionId}`, { value: 1 })], edges: [] };
    return (await home.api('POST', '/api/workflows/nodes/test', { body: { definition, nodeId: 'a' } })).body;
  };
  const error = { code: 'NO_WORKER', message: `no worker polls ${own.taskQueue}` };
  for (const actionId of ['work', 'twice']) expect(await run(actionId)).toMatchObject({ status: 'FAILED', error });
  await ownWorker(own, { ...echoes, double: async ({ value }: Loose) => 2 * value }, { withWorkflows: true });
  expect(await run('work')).toMatchObject({ status: 'COMPLETED', output: 1 });
  expect(await run('twice')).toMatchObject({ status: 'COMPLETED', output: { doubled: 2 } });
});
