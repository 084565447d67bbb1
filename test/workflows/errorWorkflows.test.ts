import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createWorkflowExecution } from '../../prisma/store/execution/createExecution.ts';
import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { readWorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, control, type Graph, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const LONG = { timeout: 60_000, interval: 100 };

let home: Home;
/** Outputs its trigger. */
let handler: string;

beforeAll(async () => {
  home = await makeHome();
  handler = await home.deploy({ nodes: [action('reported', 'core.transform', { value: '{{ trigger }}' })] });
});

const bad = (more = {}) => action('bad', 'testing.fail', { message: 'no luck' }, more);

const deploy = (graph: Graph & { slug?: string }) => home.deploy({ onFailureWorkflowId: handler, ...graph });

/** Returns how the failure was handled, once that is final. */
async function handlingOf(executionId: string) {
  const read = async () => (await home.read(executionId, 'failureHandling')).failureHandling;
  await poll(async () => (await read())?.status ?? 'PENDING', LONG).not.toBe('PENDING');
  return read();
}

async function reportOf(executionId: string) {
  const handling = await handlingOf(executionId);
  expect(handling).toMatchObject({ status: 'STARTED', workflow: { id: handler }, error: null });
  const ended = await home.ended(handling.execution.id);
  expect(ended.status).toBe('COMPLETED');
  const list = await home.api('GET', `/api/executions?filterBy=failureOfId:${executionId}`);
  expect(list.body).toEqual([{ id: handling.execution.id }]);
  const { failureOf, failureHandling } = await home.read(handling.execution.id, 'failureOf', 'failureHandling');
  expect(failureOf).toMatchObject({ id: executionId });
  expect(failureHandling).toBeNull();
  return ended.output;
}

const reported = { nodeId: 'bad', label: 'Fail', code: expect.any(String), message: 'no luck' };

const WAYS: [string, Graph, { status: string; statusMessage: unknown; error?: object }][] = [
  ['an action at the end', { nodes: [bad()] }, { status: 'FAILED', statusMessage: 'Fail: no luck', error: reported }],
  [
    'a region',
    { nodes: [control('if', 'condition', { condition: '{{ trigger.n.m }}' })] },
    {
      status: 'FAILED',
      statusMessage: expect.stringContaining('if: '),
      error: { nodeId: 'if', label: 'if', code: 'EXPRESSION_FAILED', message: expect.any(String) },
    },
  ],
  [
    'one of several branches',
    { nodes: [bad(), action('long', 'testing.wait', { ms: 600_000 })] },
    { status: 'FAILED', statusMessage: 'Fail: no luck', error: reported },
  ],
  [
    'a stop node',
    { nodes: [control('end', 'stop', { outcome: 'failed', message: 'enough' })] },
    { status: 'FAILED', statusMessage: 'enough' },
  ],
  [
    'a stop node without a message',
    { nodes: [control('end', 'stop', { outcome: 'failed' }, { name: 'Give up' })] },
    { status: 'FAILED', statusMessage: 'Stopped by Give up' },
  ],
  [
    'a loop',
    { nodes: [control('each', 'forEach', { items: [1, 2] }), bad({ parentId: 'each' })] },
    {
      status: 'FAILED',
      statusMessage: expect.stringContaining('no luck'),
      error: { nodeId: 'each', label: 'each', code: 'ITERATION_FAILED', message: expect.stringContaining('no luck') },
    },
  ],
  [
    'its output, after a failure that was caught',
    { nodes: [bad({ onError: 'continue' })], output: '{{ trigger.n.m }}' },
    { status: 'FAILED', statusMessage: expect.stringContaining('Output: ') },
  ],
  [
    'its time',
    { nodes: [action('long', 'testing.wait', { ms: 600_000 })], timeoutMs: 300 },
    { status: 'TIMED_OUT', statusMessage: 'Not finished within 300 ms' },
  ],
];

test.each(WAYS)('a failure by %s starts the error workflow once, and both are linked', async (_, graph, expected) => {
  const workflowId = await deploy({ name: 'Failing', ...graph });
  const id = await home.execute(workflowId, { n: 1 });
  await home.ended(id);
  const read = await home.read(id, 'executionNumber', 'startedAt', 'stoppedAt');
  expect(await reportOf(id)).toEqual({
    execution: {
      id,
      number: read.executionNumber,
      url: `/api/executions/${id}`,
      workflowId,
      workflowName: 'Failing',
      startedAt: read.startedAt,
      stoppedAt: read.stoppedAt,
      durationMs: Date.parse(read.stoppedAt) - Date.parse(read.startedAt),
      requestId: expect.any(String),
      ...expected,
    },
    trigger: { n: 1 },
  });
});

test('a failure without a notification is found; a handler that was started before a crash starts once', async () => {
  const slug = `w-${randomUUID()}`;
  const own = await home.deploy({ slug, nodes: [question('ask')] });
  const id = await home.execute(await deploy({ nodes: [question('ask')], onFailureWorkflowId: own }));
  await home.asked(id, 'ask');
  await stackDatabase().$executeRaw`UPDATE executions SET status = 'FAILED', stopped_at = now() WHERE id = ${id}::uuid`;
  const handling = await handlingOf(id);
  expect(handling.status).toBe('STARTED');
  await home.asked(handling.execution.id, 'ask');
  // Simulates a process that died before recording the start, after which the workflow was deactivated.
  await home.deploy({ slug, isActive: false, nodes: [question('ask')] });
  await stackDatabase().$executeRaw`
    UPDATE failure_handlings SET status = 'PENDING', not_before = now() WHERE execution_id = ${id}::uuid`;
  expect(await handlingOf(id)).toMatchObject({ status: 'STARTED', execution: { id: handling.execution.id } });
  expect((await home.api('GET', `/api/executions?filterBy=workflowId:${own}`)).body).toHaveLength(1);
});

test('an end that the reconciler writes, as the engine says, is a failure too', async () => {
  const workflowId = await deploy({ nodes: [question('ask')] });
  const versionId = (await readWorkflowHead(stackDatabase(), home.workspaceId, workflowId))?.versionId ?? '';
  const id = v7();
  const lost = {
    id,
    trigger: {},
    variables: { names: [] },
    requestId: 'lost',
    startedBy: { type: 'workflow' as const },
  };
  await createWorkflowExecution(stackDatabase(), home.workspaceId, { workflowId, versionId }, lost);
  await stackDatabase().$executeRaw`
    UPDATE executions SET status = 'RUNNING', reconciled_at = now() - interval '2 hours' WHERE id = ${id}::uuid`;
  const statusMessage = 'The engine does not know this execution any more';
  expect(await reportOf(id)).toMatchObject({ execution: { status: 'FAILED', statusMessage } });
});

test('sub-workflows, retries and scheduled executions: each failure counts', async () => {
  const child = await deploy({ name: 'Child', nodes: [bad()] });
  const parent = await home.execute(
    await deploy({ name: 'Parent', nodes: [control('call', 'runWorkflow', { workflowId: child })] }),
  );
  await home.ended(parent);
  const [{ id: childId }] = (await home.read(parent, 'childExecutions')).childExecutions;
  expect(await reportOf(childId)).toMatchObject({
    execution: { workflowId: child, workflowName: 'Child', parentExecutionId: parent },
  });
  expect(await reportOf(parent)).toMatchObject({ execution: { workflowName: 'Parent', error: { nodeId: 'call' } } });

  const { body } = await home.api('POST', `/api/executions/${childId}/retry`);
  await home.ended(body.executionId);
  expect(await reportOf(body.executionId)).toMatchObject({ execution: { retryOf: childId } });

  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 1_000 } } as const;
  const scheduled = { slug: `s-${randomUUID()}`, trigger, nodes: [bad()] };
  const scheduledId = await deploy(scheduled);
  const list = async () =>
    (await home.api('GET', `/api/executions?filterBy=workflowId:${scheduledId},status:FAILED`)).body;
  await poll(async () => (await list()).length, LONG).toBeGreaterThan(0);
  await deploy({ ...scheduled, isActive: false });
  for (const { id } of await list()) {
    expect(await reportOf(id)).toMatchObject({ trigger: { scheduledAt: expect.any(String) } });
  }
});

test('no other end starts it; neither does a failure of a workflow without one', async () => {
  const slug = `w-${randomUUID()}`;
  const good = await home.execute(await deploy({ nodes: [action('a', 'core.set', { values: {} })] }));
  const without = await home.execute(await home.deploy({ nodes: [bad()] }));
  await deploy({ slug, nodes: [bad()] });
  const removed = await home.execute(await home.deploy({ slug, onFailureWorkflowId: null, nodes: [bad()] }));
  const cancelled = await home.execute(await deploy({ nodes: [question('ask')] }));
  await home.asked(cancelled, 'ask');
  await home.api('POST', `/api/executions/${cancelled}/cancel`);
  const terminated = await home.execute(await deploy({ nodes: [question('ask')] }));
  await home.asked(terminated, 'ask');
  await home.api('POST', `/api/executions/${terminated}/terminate`);
  const all = [good, without, removed, cancelled, terminated];
  await Promise.all(all.map((id) => home.ended(id)));
  // It is recorded with the end itself, so a missing row never appears later.
  for (const id of all) expect((await home.read(id, 'failureHandling')).failureHandling).toBeNull();
});

test('an error workflow that fails starts no error workflow, nor do its children', async () => {
  const child = await deploy({ nodes: [bad()] });
  const broken = await deploy({ nodes: [control('call', 'runWorkflow', { workflowId: child })] });
  const first = await home.execute(await home.deploy({ nodes: [bad()], onFailureWorkflowId: broken }));
  const { status, execution } = await handlingOf(first);
  expect(status).toBe('STARTED');
  expect((await home.ended(execution.id)).status).toBe('FAILED');
  const [called] = (await home.read(execution.id, 'childExecutions')).childExecutions;
  for (const id of [execution.id, called.id]) {
    expect(await handlingOf(id)).toMatchObject({
      status: 'NOT_STARTED',
      execution: null,
      error: { code: 'FAILURE_OF_ERROR_WORKFLOW' },
    });
  }
  const alone = await home.execute(broken);
  await home.ended(alone);
  await reportOf(alone);
});

const REFUSED: [string, Graph, string, string][] = [
  ['is not active', { nodes: [bad()], isActive: false }, 'WORKFLOW_NOT_EXECUTABLE', 'not active'],
  [
    'asks for other input',
    { nodes: [bad()], trigger: manual({ key: 'colour', label: 'Colour', type: 'text', required: true }) },
    'WORKFLOW_NOT_EXECUTABLE',
    'colour',
  ],
  ['starts by a webhook', { nodes: [bad()], trigger: webhook() }, 'WORKFLOW_NOT_EXECUTABLE', 'webhook'],
];

test.each(REFUSED)(
  'an error workflow that %s is not started, and the failed execution says why',
  async (_, graph, code, message) => {
    const other = await home.deploy(graph);
    const { id } = await home.run({ nodes: [bad()], onFailureWorkflowId: other });
    expect(await handlingOf(id)).toEqual({
      status: 'NOT_STARTED',
      workflow: { id: other, name: expect.any(String) },
      execution: null,
      error: { code, message: expect.stringContaining(message) },
    });
  },
);

test("a project's error workflow is for its workflows that name none, and not for itself", async () => {
  const watched = await makeHome();
  const { body: elsewhere } = await watched.api('POST', '/api/projects', { body: { name: 'Handlers' } });
  const upsert = (slug: string, projectId: string, graph: Graph) =>
    watched.api('POST', `/api/projects/${projectId}/workflows/upsert`, { body: { slug, edges: [], ...graph } });
  const { body: byDefault } = await upsert('by-default', elsewhere.id, {
    nodes: [action('a', 'core.set', { values: {} })],
  });
  const { body: named } = await upsert('named', watched.projectId, { nodes: [bad()] });
  const { body: silent } = await upsert('silent', watched.projectId, { nodes: [bad()] });
  const { body: other } = await upsert('other', watched.projectId, {
    nodes: [bad()],
    onFailureWorkflowId: named.id,
  });
  const handlings = async (workflowId: string) => {
    const id = await watched.execute(workflowId);
    await watched.ended(id);
    await poll(async () => (await watched.read(id, 'failureHandling')).failureHandling?.status, LONG).not.toBe(
      'PENDING',
    );
    return (await watched.read(id, 'failureHandling')).failureHandling?.workflow.id ?? null;
  };
  const setDefault = (onFailureWorkflowId: string | null) =>
    watched.api('PATCH', `/api/projects/${watched.projectId}`, { body: { onFailureWorkflowId } });
  expect(await handlings(silent.id)).toBeNull();
  expect((await setDefault(byDefault.id)).status).toBe(200);
  expect(await handlings(silent.id)).toBe(byDefault.id);
  expect(await handlings(other.id)).toBe(named.id);
  // The handler belongs to the project and does not handle its own failures.
  await setDefault(silent.id);
  expect(await handlings(silent.id)).toBeNull();
  await setDefault(null);
  expect(await handlings(silent.id)).toBeNull();
});

test('a paused or fully used error workflow is accepted and held: no failure is lost', async () => {
  const asking = await home.deploy({ nodes: [question('ask')], maxConcurrent: 1 });
  await home.api('POST', `/api/workflows/${asking}/pause`);
  const failing = await home.deploy({ nodes: [bad()], onFailureWorkflowId: asking });
  const handlings: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const id = await home.execute(failing);
    await home.ended(id);
    handlings.push((await handlingOf(id)).execution.id);
  }
  const [first = '', second = ''] = handlings;
  for (const id of handlings) expect(await home.read(id, 'held')).toMatchObject({ status: 'PENDING', held: true });
  await home.api('POST', `/api/workflows/${asking}/resume`);
  await home.asked(first, 'ask');
  expect(await home.read(second, 'held')).toMatchObject({ status: 'PENDING', held: true });
  await home.submit(first, 'ask', { answer: 'x' });
  await home.asked(second, 'ask');
  await home.submit(second, 'ask', { answer: 'x' });
  for (const id of handlings) expect((await home.ended(id)).status).toBe('COMPLETED');
});

test('a missing error workflow is reported', async () => {
  const id = await home.execute(await home.deploy({ nodes: [bad()] }));
  await home.ended(id);
  // Simulates a handler that was configured at the failure and has been deleted since.
  await stackDatabase().$executeRaw`
    INSERT INTO failure_handlings (execution_id, workspace_id, handler_workflow_id)
    VALUES (${id}::uuid, ${home.workspaceId}::uuid, gen_random_uuid())`;
  expect(await handlingOf(id)).toMatchObject({ status: 'NOT_STARTED', workflow: null, error: { code: 'NOT_FOUND' } });
});

test('no secret reaches the error workflow', async () => {
  const workflowId = await deploy({
    trigger: manual({ key: 'token', label: 'Token', type: 'secret', required: true }),
    nodes: [action('bad', 'testing.fail', { message: 'refused {{ trigger.token }}' })],
  });
  const id = await home.execute(workflowId, { token: 'hunter22-of-the-trigger' });
  await home.ended(id);
  const report = await reportOf(id);
  expect(report).toMatchObject({ trigger: { token: '***' }, execution: { error: { message: 'refused ***' } } });
  expect(JSON.stringify(report)).not.toContain('hunter22');
});

test('it is a setting of the workflow: another workflow of the workspace, or null', async () => {
  const stranger = await (await makeHome()).deploy({ nodes: [bad()] });
  const graph = { slug: `w-${randomUUID()}`, nodes: [bad()], edges: [] };
  const id = await deploy(graph);
  const read = async () => (await home.api('GET', `/api/workflows/${id}?expansion=onFailureWorkflowId,version`)).body;
  expect(await read()).toMatchObject({ onFailureWorkflowId: handler, version: 1 });
  await home.deploy(graph);
  expect(await read()).toMatchObject({ onFailureWorkflowId: handler, version: 1 });
  const upsert = `/api/projects/${home.projectId}/workflows/upsert`;
  for (const wrong of [stranger, randomUUID(), id, 'nothing', 5]) {
    const body = { ...graph, onFailureWorkflowId: wrong };
    const answer = await home.api('POST', upsert, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.errors[0].path).toContain('onFailureWorkflowId');
    const validated = await home.api('POST', '/api/workflows/validate', {
      body: { ...body, projectId: home.projectId },
    });
    expect(validated.body.problems).toEqual([expect.objectContaining({ path: 'onFailureWorkflowId' })]);
  }
  expect(await read()).toMatchObject({ onFailureWorkflowId: handler });
  await home.deploy({ ...graph, onFailureWorkflowId: null });
  expect(await read()).toMatchObject({ onFailureWorkflowId: null, version: 1 });
});

test('retention keeps a failed execution while its failure is handled, and then deletes its note', async () => {
  const asking = await home.deploy({ nodes: [question('ask'), bad()], edges: chain('ask', 'bad') });
  const { id } = await home.run({ nodes: [bad()], onFailureWorkflowId: asking });
  const { execution } = await handlingOf(id);
  await home.asked(execution.id, 'ask');
  await stackDatabase().$executeRaw`
    UPDATE executions SET stopped_at = now() - interval '33000 days' WHERE id = ${id}::uuid`;
  const most = { executions: 100, steps: 1_000, iterations: 1_000 };
  await deleteOldExecutions(stackDatabase(), 32_000, most);
  expect((await home.read(id)).status).toBe('FAILED');
  await home.submit(execution.id, 'ask', { answer: 'x' });
  await home.ended(execution.id);
  await deleteOldExecutions(stackDatabase(), 32_000, most);
  expect((await home.api('GET', `/api/executions/${id}`)).status).toBe(404);
  expect((await home.read(execution.id, 'failureOf')).failureOf).toBeNull();
});
