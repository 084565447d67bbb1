import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { action, chain, control, edges, type Graph, question } from '../setup/graph.ts';
import { makeHome } from '../setup/home.ts';
import { stackTemporal } from '../setup/temporal.ts';

/** What its workflow has done is done again, over the rows as they stand: as if a worker had died in its first task. */
async function beginAgain(workflowId: string): Promise<void> {
  const { workflow, workflowService } = await stackTemporal();
  const handle = workflow.getHandle(workflowId);
  const firstTask = async () => {
    const { events } = await handle.fetchHistory();
    return events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed)?.eventId;
  };
  // The row tells of a wait a moment before the task ends in which it began.
  await expect.poll(firstTask, { timeout: 10_000 }).toBeDefined();
  await workflowService.resetWorkflowExecution({
    namespace: workflow.options.namespace,
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: await firstTask(),
    requestId: randomUUID(),
    reason: 'test',
  });
}

const work = action('work', 'testing.succeed', { output: '{{ loop.index }}' }, { parentId: 'again' });

interface Case {
  graph: Graph;
  waits: string;
  submits?: string;
  output: unknown;
}

const CASES: Record<string, Case> = {
  'a repeat in its pause': {
    graph: { nodes: [control('again', 'repeat', { times: 2, pauseMs: 1_000 }), work] },
    waits: 'WAITING',
    output: [0, 1],
  },
  'a repeat in its pause, inside another loop': {
    graph: {
      nodes: [
        control('outer', 'forEach', { items: ['a'] }),
        control('again', 'repeat', { times: 2, pauseMs: 1_000 }, { parentId: 'outer' }),
        action('compute', 'core.transform', { value: '{{ loop.index }}' }, { parentId: 'again' }),
      ],
    },
    waits: 'WAITING',
    output: [[0, 1]],
  },
  'a delay': {
    graph: {
      nodes: [control('pause', 'delay', { forMs: 1_000 }), action('after', 'core.transform', { value: 1 })],
      edges: chain('pause', 'after'),
    },
    waits: 'WAITING',
    output: 1,
  },
  'a retry that waits': {
    graph: {
      nodes: [
        action('flaky', 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 1_000 } }),
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
      nodes: [question('ask', { expiresInMs: 1_000 }), action('after', 'core.transform', { value: 1 })],
      edges: edges('ask:expired>after'),
    },
    waits: 'NEEDS_INPUT',
    output: 1,
  },
};

test.each(Object.entries(CASES))('%s goes on right when its workflow begins again', async (_name, each) => {
  const { graph, waits, submits, output } = each;
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(graph));
  await home.until(executionId, ({ executionPath }) =>
    executionPath.some(({ status }: { status: string }) => status === waits),
  );
  await beginAgain(executionId);
  if (submits) expect((await home.submit(executionId, submits, { answer: 'x' })).status).toBe(200);
  const ended = await home.ended(executionId);
  expect(ended).toMatchObject({ status: 'COMPLETED', output });
  for (const { iterations } of ended.executionPath) if (iterations) expect(iterations.completed).toBe(iterations.total);
});
