// test: long
import { expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { beginAgain, endedTasks } from '../setup/stack/beginAgain.ts';
import { engineStatus } from '../setup/stack/temporal.ts';
import { action, chain, control, edges, type Graph, question } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';

const work = action('work', 'testing.succeed', { output: '{{ loop.index }}' }, { parentId: 'again' });

interface Case {
  graph: Graph;
  waits: string;
  submits?: string;
  output: unknown;
}

const CASES: Record<string, Case> = {
  'a repeat in its pause': {
    graph: { nodes: [control('again', 'repeat', { times: 2, pauseMs: 2_000 }), work] },
    waits: 'WAITING',
    output: [0, 1],
  },
  'a repeat in its pause, inside another loop': {
    graph: {
      nodes: [
        control('outer', 'forEach', { items: ['a'] }),
        control('again', 'repeat', { times: 2, pauseMs: 2_000 }, { parentId: 'outer' }),
        action('compute', 'core.transform', { value: '{{ loop.index }}' }, { parentId: 'again' }),
      ],
    },
    waits: 'WAITING',
    output: [[0, 1]],
  },
  'a delay': {
    graph: {
      nodes: [control('pause', 'delay', { forMs: 2_000 }), action('after', 'core.transform', { value: 1 })],
      edges: chain('pause', 'after'),
    },
    waits: 'WAITING',
    output: 1,
  },
  'a retry that waits': {
    graph: {
      nodes: [
        action('flaky', 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 2_000 } }),
        action('after', 'core.transform', { value: 1 }),
      ],
      edges: chain('flaky', 'after'),
    },
    waits: 'RETRYING',
    output: 1,
  },
  'a question': {
    graph: { nodes: [question('ask'), action('after', 'core.transform', { value: 1 })], edges: chain('ask', 'after') },
    waits: 'NEEDS_INPUT',
    submits: 'ask',
    output: 1,
  },
  'a question whose time ends': {
    graph: {
      nodes: [question('ask', { expiresInMs: 2_000 }), action('after', 'core.transform', { value: 1 })],
      edges: edges('ask:expired>after'),
    },
    waits: 'NEEDS_INPUT',
    output: 1,
  },
};

test.each(Object.entries(CASES))('%s continues correctly when its workflow begins again', async (_name, each) => {
  const { graph, waits, submits, output } = each;
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(graph));
  const seen = async () => (await home.read(executionId)).executionPath.map(({ status }: { status: string }) => status);
  await poll(seen, { interval: 20 }).toContain(waits);
  await beginAgain(executionId);
  if (submits) expect((await home.submit(executionId, submits, { answer: 'x' })).status).toBe(200);
  const ended = await home.ended(executionId);
  expect(ended).toMatchObject({ status: 'COMPLETED', output });
  for (const { iterations } of ended.executionPath) if (iterations) expect(iterations.completed).toBe(iterations.total);
});

/** The caller ends after its question and, if it waits, after the sub-workflow. */
test.each([
  ['that asks', true, false, 'first task'],
  ['that asks', true, false, 'last task'],
  ['that asks and is not waited for', false, false, 'first task'],
  ['that has ended', true, true, 'first task'],
  ['that has ended', true, true, 'last task'],
] as const)(
  'a sub-workflow %s is met by its caller (wait: %s, answered: %s, from: %s)',
  async (_name, wait, answersBefore, from) => {
    const home = await makeHome();
    const workflowId = await home.deploy({
      nodes: [question('ask'), action('after', 'core.transform', { value: 'inner' })],
      edges: chain('ask', 'after'),
    });
    const last = action('last', 'core.transform', { value: '{{ steps.call.output }}' });
    const executionId = await home.execute(
      await home.deploy({
        nodes: [control('call', 'runWorkflow', { workflowId, wait }), question('go'), last],
        edges: edges('call>last', 'go>last'),
      }),
    );
    await home.asked(executionId, 'go');
    const children = async () => (await home.read(executionId, 'childExecutions')).childExecutions;
    await poll(children).toHaveLength(1);
    const [{ id: childId }] = await children();
    await home.asked(childId, 'ask');
    const answer = async () => {
      expect((await home.submit(childId, 'ask', { answer: 'x' })).status).toBe(200);
      expect(await home.ended(childId)).toMatchObject({ status: 'COMPLETED', output: 'inner' });
    };
    if (answersBefore) await answer();
    await beginAgain(executionId, from);
    if (!answersBefore) await answer();
    expect((await home.submit(executionId, 'go', { answer: 'x' })).status).toBe(200);
    const output = wait ? 'inner' : { executionId: childId };
    expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output });
    expect(await engineStatus(executionId)).toBe('COMPLETED');
    expect(await children()).toHaveLength(1);
  },
);

const ENDED: Record<string, { graph: Graph; end?: string; engine: string }> = {
  COMPLETED: { graph: { nodes: [action('a', 'testing.succeed', { output: 1 })] }, engine: 'COMPLETED' },
  FAILED: { graph: { nodes: [action('a', 'testing.fail')] }, engine: 'FAILED' },
  TIMED_OUT: { graph: { nodes: [question('a')], timeoutMs: 500 }, engine: 'FAILED' },
  // The SDK ends a run as cancelled only if this run received the request.
  CANCELLED: { graph: { nodes: [question('a')] }, end: 'cancel', engine: 'FAILED' },
  'CANCELLED by terminate': { graph: { nodes: [question('a')] }, end: 'terminate', engine: 'FAILED' },
};

test.each(Object.entries(ENDED))(
  'an execution that ended %s stays so when its workflow begins again',
  async (_name, { graph, end, engine }) => {
    const home = await makeHome();
    const executionId = await home.execute(await home.deploy(graph));
    if (end) {
      await home.asked(executionId, 'a');
      // A workflow terminated before its first completed task cannot be reset.
      await endedTasks(executionId);
      expect((await home.api('POST', `/api/executions/${executionId}/${end}`)).status).toBe(200);
    }
    const before = await home.ended(executionId);
    await beginAgain(executionId);
    expect(await engineStatus(executionId)).toBe(engine);
    expect(await home.ended(executionId)).toEqual(before);
  },
);
