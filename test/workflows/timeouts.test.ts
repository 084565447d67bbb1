import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { poll } from '../setup/jest/poll.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, question, webhook } from '../setup/workspace/graph.ts';
import { makeHome, statuses } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const long = (id: string) => action(id, 'testing.wait', { ms: 600_000 });

const OPEN = {
  'an action alone': { nodes: [long('long')] },
  'branches of all kinds': {
    nodes: [
      long('long'),
      action('again', 'testing.fail', {}, { retry: { maximumAttempts: 2, initialIntervalMs: 600_000 } }),
      control('delay', 'delay', { forMs: 600_000 }),
      question('ask'),
    ],
  },
  'a loop in child workflows': {
    nodes: [
      control('each', 'forEach', { items: Array.from({ length: 110 }, (_, index) => index), concurrency: 3 }),
      { ...long('long'), parentId: 'each' },
    ],
  },
};

test.each(Object.entries(OPEN))('an execution past its time ends TIMED_OUT: %s', async (_, graph) => {
  const home = await makeHome();
  const execution = await home.run({ ...graph, timeoutMs: 300 });
  const statusMessage = 'Not finished within 300 ms';
  expect(execution).toMatchObject({ status: 'TIMED_OUT', statusMessage, output: null, pendingInput: [] });
  expect(Object.values(statuses(execution)).filter((status) => status !== 'CANCELLED')).toEqual([]);
  expect(await engineStatus(execution.id)).toBe('FAILED');
  const result = (await stackTemporal()).workflow.getHandle(execution.id).result();
  await expect(result).rejects.toMatchObject({ cause: { type: 'TIMED_OUT' } });
});

test('an execution within its time limit ends normally; a cancelled one ends CANCELLED', async () => {
  const home = await makeHome();
  const timeoutMs = 600_000;
  const quick = await home.run({ timeoutMs, nodes: [action('a', 'testing.succeed', { output: 1 })] });
  expect(quick).toMatchObject({ status: 'COMPLETED', output: 1 });
  const id = await home.execute(await home.deploy({ timeoutMs, nodes: [long('long')] }));
  await home.until(id, ({ status }) => status === 'RUNNING');
  const cancelled = await home.api('POST', `/api/executions/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'CANCELLED' });
});

test('each start has the time limit of its version, also a retry and a scheduled one', async () => {
  const home = await makeHome();
  const slug = 'changes';
  const graph = { slug, nodes: [long('long')] };
  const workflowId = await home.deploy(graph);
  const without = await home.execute(workflowId);
  // The version stays, and with it the cached head of the workflow.
  await home.deploy({ ...graph, timeoutMs: 200 });
  const timed = await home.execute(workflowId);
  expect(await home.ended(timed)).toMatchObject({ status: 'TIMED_OUT' });
  await home.deploy({ ...graph, timeoutMs: 201 });
  const { body } = await home.api('POST', `/api/executions/${timed}/retry`);
  expect(await home.ended(body.executionId)).toMatchObject({ statusMessage: 'Not finished within 201 ms' });
  expect(await home.read(without)).toMatchObject({ status: 'RUNNING' });

  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 1_000 } } as const;
  await home.deploy({ ...graph, trigger, timeoutMs: 202 });
  const list = async () =>
    (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}&expansion=statusMessage`)).body;
  await poll(list, { timeout: 30_000, interval: 200 }).toContainEqual(
    expect.objectContaining({ statusMessage: 'Not finished within 202 ms' }),
  );
  await home.deploy({ ...graph, trigger, isActive: false });
});

test('a start that was lost has the time when the reconciler makes up for it', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ timeoutMs: 300, nodes: [long('long')] });
  const head = await readWorkflowHead(stackDatabase(), home.workspaceId, workflowId);
  const versionId = head?.versionId ?? '';
  const id = v7();
  const execution = {
    id,
    trigger: {},
    variables: { names: [] },
    requestId: 'lost',
    startedBy: { type: 'workflow' as const },
  };
  await createWorkflowExecution(stackDatabase(), home.workspaceId, { workflowId, versionId }, execution);
  expect(await home.ended(id)).toMatchObject({ status: 'TIMED_OUT' });
});

test('the caller of the webhook learns that the time limit was exceeded', async () => {
  const home = await makeHome();
  const trigger = webhook({ respond: 'whenFinished' });
  const workflowId = await home.deploy({ trigger, timeoutMs: 300, nodes: [long('long')] });
  const detail = 'Not finished within 300 ms';
  const answer = await home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  expect(answer).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED', detail } });
});

test('the time is a setting of the workflow: a number of milliseconds up to a year, or null', async () => {
  const home = await makeHome();
  const graph = { slug: 'timed', nodes: [long('long')] };
  const id = await home.deploy({ ...graph, timeoutMs: 31_536_000_000 });
  const read = async () => (await home.api('GET', `/api/workflows/${id}?expansion=timeoutMs,version`)).body;
  expect(await read()).toMatchObject({ timeoutMs: 31_536_000_000, version: 1 });
  await home.deploy(graph);
  expect(await read()).toMatchObject({ timeoutMs: 31_536_000_000, version: 1 });
  await home.deploy({ ...graph, timeoutMs: null });
  expect(await read()).toMatchObject({ timeoutMs: null, version: 1 });
  for (const timeoutMs of [0, -1, 1.5, 31_536_000_001, '5']) {
    const answer = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
      body: { ...graph, timeoutMs },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors[0].path).toContain('timeoutMs');
  }
  expect(await read()).toMatchObject({ timeoutMs: null });
});
