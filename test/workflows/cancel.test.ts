import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createAdHocExecution } from '../../prisma/store/execution/createExecution.ts';
import { writeEndRequest } from '../../prisma/store/execution/endRequests.ts';
import { RUN_EXECUTION } from '../../temporal-workflows/names.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { withAllOpen } from '../setup/workspace/allOpen.ts';
import { action, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const HOWS = ['cancel', 'terminate'] as const;

function end(home: Home, executionId: string, how: (typeof HOWS)[number], body?: object) {
  return home.api('POST', `/api/executions/${executionId}/${how}`, body === undefined ? {} : { body });
}

async function engineSays(executionId: string): Promise<string> {
  return (await (await stackTemporal()).workflow.getHandle(executionId).describe()).status.name;
}

test.each(HOWS)('%s ends all that is open, in the row and in the engine, before it answers', async (how) => {
  const home = await makeHome();
  const executionId = await withAllOpen(home);
  const answer = await end(home, executionId, how, { reason: 'The order was withdrawn' });
  expect(answer).toMatchObject({ status: 200, body: { executionId, status: 'CANCELLED' } });
  expect(await engineSays(executionId)).toBe(how === 'cancel' ? 'CANCELLED' : 'TERMINATED');
  const execution = await home.read(executionId);
  expect(execution).toMatchObject({ status: 'CANCELLED', statusMessage: 'The order was withdrawn', pendingInput: [] });
  expect(statuses(execution)).toEqual({ long: 'CANCELLED', again: 'CANCELLED', ask: 'CANCELLED' });
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(409);
  // A different second request gets the same response, and the first reason stays.
  for (const again of HOWS) {
    expect(await end(home, executionId, again, { reason: 'other' })).toMatchObject({ body: { status: 'CANCELLED' } });
  }
  expect(await home.read(executionId)).toEqual(execution);
});

test('an ended execution does not change', async () => {
  const home = await makeHome();
  const executionId = (await home.run({ nodes: [action('a', 'core.set', { values: { a: 1 } })] })).id;
  const before = await home.read(executionId);
  for (const how of HOWS) {
    expect(await end(home, executionId, how)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  }
  expect(await home.read(executionId)).toEqual(before);
});

test.each(HOWS)(
  '%s of an execution that the engine does not know yet: it never runs, also when started',
  async (how) => {
    const home = await makeHome();
    const executionId = v7();
    await createAdHocExecution(stackDatabase(), home.workspaceId, {
      id: executionId,
      trigger: {},
      variables: { names: [] },
      requestId: 'not started',
      startedBy: { type: 'workflow' },
      name: 'Not started',
      definition: {
        trigger: { id: 'trigger', type: 'manual', config: {} },
        nodes: [action('a', 'testing.wait', { ms: 600_000 })],
        edges: [],
      },
    });
    // Postpone the reconciler.
    await stackDatabase().$executeRaw`
      UPDATE executions SET reconciled_at = now() + interval '1 hour' WHERE id = ${executionId}::uuid`;
    expect(await end(home, executionId, how)).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    expect(await engineStatus(executionId)).toBe('TERMINATED');
    const { workflow } = await stackTemporal();
    const late = workflow.start(RUN_EXECUTION, {
      workflowId: executionId,
      taskQueue: 'perdure',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
    await expect(late).rejects.toMatchObject({ name: 'WorkflowExecutionAlreadyStartedError' });
    const statusMessage = how === 'cancel' ? 'Cancelled' : 'Terminated';
    expect(await home.read(executionId)).toMatchObject({ status: 'CANCELLED', statusMessage, executionPath: [] });
  },
);

test('an execution whose row ends before its workflow begins is cancelled in the engine too', async () => {
  const home = await makeHome();
  const executionId = v7();
  await createAdHocExecution(stackDatabase(), home.workspaceId, {
    id: executionId,
    trigger: {},
    variables: { names: [] },
    requestId: 'cancelled first',
    startedBy: { type: 'workflow' },
    name: 'Cancelled first',
    definition: {
      trigger: { id: 'trigger', type: 'manual', config: {} },
      nodes: [action('a', 'testing.wait', { ms: 600_000 })],
      edges: [],
    },
  });
  await stackDatabase().$executeRaw`
    UPDATE executions SET reconciled_at = now() + interval '1 hour' WHERE id = ${executionId}::uuid`;
  const request = { how: 'cancel', reason: 'Cancelled' } as const;
  const row = await writeEndRequest(stackDatabase(), home.workspaceId, executionId, request);
  expect(row).toMatchObject({ endedNow: true });
  const { workflow } = await stackTemporal();
  const started = await workflow.start(RUN_EXECUTION, {
    workflowId: executionId,
    taskQueue: 'perdure',
    args: [{ workspaceId: home.workspaceId, executionId }],
  });
  // Its action finds the end of the row.
  await poll(async () => {
    const { events } = await started.fetchHistory();
    return events?.some((event) => event.activityTaskCompletedEventAttributes);
  }).toBe(true);
  await started.cancel();
  expect(await engineStatus(executionId)).toBe('CANCELLED');
});

test('executions that are cancelled while they start end, each of them', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({ nodes: [action('long', 'testing.wait', { ms: 600_000 })] });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => end(home, await home.execute(workflowId), 'cancel')),
  );
  for (const { body } of answers) {
    expect((await home.ended(body.executionId)).status).toBe('CANCELLED');
    expect(['CANCELLED', 'TERMINATED']).toContain(await engineStatus(body.executionId));
  }
});

test.each(HOWS)('%s whose process died behind its row is delivered by the reconciler', async (how) => {
  const home = await makeHome();
  const executionId = await withAllOpen(home);
  const request = { how, reason: 'It died' };
  const row = await writeEndRequest(stackDatabase(), home.workspaceId, executionId, request);
  expect(row).toMatchObject({ endedNow: false, how });
  const before = await home.read(executionId, 'cancelRequestedAt');
  expect(await home.ended(executionId)).toMatchObject({ status: 'CANCELLED', statusMessage: 'It died' });
  expect(await engineStatus(executionId)).toBe(how === 'cancel' ? 'CANCELLED' : 'TERMINATED');
  expect((await home.read(executionId, 'cancelRequestedAt')).cancelRequestedAt).toBe(before.cancelRequestedAt);
});

test('a termination replaces a cancellation that the engine has not heard of, never the other way round', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  const ask = (how: 'cancel' | 'terminate', reason: string) =>
    writeEndRequest(stackDatabase(), home.workspaceId, executionId, { how, reason });
  const hows = [await ask('cancel', 'one'), await ask('terminate', 'two'), await ask('cancel', 'three')];
  expect(hows.map((each) => each?.how)).toEqual(['cancel', 'terminate', 'terminate']);
  expect(await home.ended(executionId)).toMatchObject({ status: 'CANCELLED', statusMessage: 'one' });
  expect(await engineStatus(executionId)).toBe('TERMINATED');
});

test('an execution that was ended before its first step does none of it, also if the engine has its start', async () => {
  const home = await makeHome();
  const server = await loopback((_, response) => response.writeHead(200).end());
  const executionId = v7();
  await createAdHocExecution(stackDatabase(), home.workspaceId, {
    id: executionId,
    trigger: {},
    variables: { names: [] },
    requestId: 'started late',
    startedBy: { type: 'workflow' },
    name: 'Started late',
    definition: {
      trigger: { id: 'trigger', type: 'manual', config: {} },
      nodes: [action('call', 'http.request', { method: 'POST', url: server.url })],
      edges: [],
    },
  });
  const request = { how: 'cancel' as const, reason: 'In time' };
  expect(await writeEndRequest(stackDatabase(), home.workspaceId, executionId, request)).toMatchObject({
    endedNow: true,
    status: 'CANCELLED',
  });
  const { workflow } = await stackTemporal();
  const args = [{ workspaceId: home.workspaceId, executionId }];
  await workflow.start(RUN_EXECUTION, { workflowId: executionId, taskQueue: 'perdure', args });
  await engineStatus(executionId);
  expect(await home.read(executionId)).toMatchObject({
    status: 'CANCELLED',
    statusMessage: 'In time',
    executionPath: [],
  });
  expect(server.calls).toEqual([]);
});

test('a caller that waits for a cancelled execution gets its end', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    trigger: webhook({ respond: 'whenFinished' }),
    nodes: [action('long', 'testing.wait', { ms: 600_000 })],
  });
  const waiting = home.api('POST', `/api/webhooks/workflows/${workflowId}`, { body: {} });
  const find = async () => (await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body[0]?.id;
  await poll(find, { timeout: 20_000 }).toEqual(expect.any(String));
  await end(home, await find(), 'cancel', { reason: 'Enough' });
  expect(await waiting).toMatchObject({ status: 500, body: { code: 'EXECUTION_FAILED', detail: 'Enough' } });
});

test('a reason is optional and limited in length', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  for (const reason of ['', 'x'.repeat(1_001), 5]) {
    expect(await end(home, executionId, 'cancel', { reason })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  }
  expect((await end(home, executionId, 'cancel')).body.status).toBe('CANCELLED');
});
