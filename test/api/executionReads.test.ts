import { expect, test } from '@jest/globals';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { expansionsOf } from '../../prisma/store/resourceQuery.ts';
import { type Api, api } from '../setup/api/client.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

/** Reads until the execution has the status; each read is a request, none a sleep. */
async function untilStatus(call: Api, executionId: string, status: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { body } = await call('GET', `/api/executions/${executionId}?expansion=status`);
    if (body.status === status) return;
    if (Date.now() > deadline) throw new Error(`still ${body.status}, expected ${status}`);
  }
}

test('an execution that waits for input shows every field that it has', async () => {
  const { url, apiKey, projectId, workspaceId } = await makeWorkspace();
  const call = api(url, apiKey);
  const fields = [{ key: 'approved', label: 'Approved', type: 'boolean', required: true }];
  const workflow = await call('POST', `/api/projects/${projectId}/workflows/upsert`, {
    body: {
      slug: 'ask',
      nodes: [
        {
          id: 'total',
          type: 'action',
          appId: 'core',
          actionId: 'set',
          inputs: { values: { sum: '{{ trigger.n * 2 }}' } },
        },
        { id: 'ask', type: 'input', name: 'Approve', inputs: { fields, instructions: 'Look first' } },
      ],
      edges: [
        { id: 'e1', source: 'trigger', target: 'total' },
        { id: 'e2', source: 'total', target: 'ask' },
      ],
    },
  });
  const workflowId = workflow.body.id;
  const started = await call('POST', `/api/executions/workflows/${workflowId}/execute`, {
    body: { inputData: { n: 21 } },
  });
  const { executionId } = started.body;
  await untilStatus(call, executionId, 'NEEDS_INPUT');

  const all = expansionsOf(EXECUTION, 'single');
  const { body } = await call('GET', `/api/executions/${executionId}?expansion=${all}`);
  expect(Object.keys(body).sort()).toEqual([...all].sort());
  expect(body).toMatchObject({
    id: executionId,
    status: 'NEEDS_INPUT',
    source: 'WORKFLOW',
    executionNumber: 1,
    workflow: { id: workflowId },
    project: { id: projectId },
    workspace: { id: workspaceId },
    stoppedAt: null,
    continueExecutionAt: null,
    executionPath: [
      {
        nodeId: 'total',
        status: 'COMPLETED',
        attempt: 1,
        appId: 'core',
        actionId: 'set',
        output: { sum: 42 },
        iteration: [],
      },
      { nodeId: 'ask', label: 'Approve', status: 'NEEDS_INPUT', stoppedAt: null, appId: null },
    ],
    pendingInput: [{ nodeId: 'ask', label: 'Approve', fields, instructions: 'Look first', iteration: [] }],
  });
  expect(body.executionPath[0].icon).toContain('<svg');
  expect(body.pendingInput[0].stepId).toBe(body.executionPath[1].id);

  const list = expansionsOf(EXECUTION, 'list');
  const listed = await call(
    'GET',
    `/api/executions?filterBy=workflowId:${workflowId},source:WORKFLOW&expansion=${list}`,
  );
  expect(listed.body).toHaveLength(1);
  expect(Object.keys(listed.body[0]).sort()).toEqual([...list].sort());
  expect((await call('GET', '/api/executions')).body).toEqual([{ id: executionId }]);
  expect((await call('GET', '/api/executions?filterBy=source:SDK')).body).toEqual([]);
  expect((await call('GET', `/api/executions?expansion=executionPath`)).status).toBe(400);

  await api(url)('POST', `/api/webhooks/executions/${executionId}/nodes/ask/input`, { body: { approved: true } });
  await untilStatus(call, executionId, 'COMPLETED');
  const ended = await call('GET', `/api/executions/${executionId}?expansion=executionPath,pendingInput,stoppedAt`);
  expect(ended.body.pendingInput).toEqual([]);
  expect(ended.body.executionPath[1]).toMatchObject({ status: 'COMPLETED', output: { approved: true } });
});

test('an ad-hoc run has no workflow and no project, and its own nodes', async () => {
  const { url, apiKey } = await makeWorkspace();
  const call = api(url, apiKey);
  const run = await call('POST', '/api/actions/run', {
    body: { appId: 'core', actionId: 'set', inputs: { values: { a: 1 } } },
  });
  expect(run.body).toMatchObject({ status: 'COMPLETED', output: { a: 1 } });
  const path = `/api/executions/${run.body.executionId}?expansion=${expansionsOf(EXECUTION, 'single')}`;
  const { body } = await call('GET', path);
  expect(body).toMatchObject({ source: 'SDK', workflow: null, project: null, executionPath: run.body.executionPath });
  expect(body.nodes).toHaveLength(1);
});
