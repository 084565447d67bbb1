import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createAdHocExecution } from '../../prisma/store/execution/createExecution.ts';
import { submitAnswer } from '../../prisma/store/execution/pendingInput.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { withAllOpen } from '../setup/workspace/allOpen.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { makeHome, statuses, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

/** Creates an accepted execution that was never started, as if the process had died in between. */
async function lostStart(workspaceId: string): Promise<string> {
  const id = v7();
  const definition = {
    trigger: { id: 'trigger' as const, type: 'manual' as const, config: {} },
    nodes: [action('a', 'core.set', { values: { done: true } })],
    edges: [],
  };
  const origin = { requestId: 'lost', startedBy: { type: 'workflow' } } as const;
  const execution = { id, trigger: {}, variables: { names: [] }, ...origin, name: 'Lost', definition };
  await createAdHocExecution(stackDatabase(), workspaceId, execution);
  return id;
}

test('an execution that waits for input costs nothing', async () => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [action('a', 'testing.succeed'), question('ask', { expiresInMs: 86_400_000 })],
      edges: chain('a', 'ask'),
    }),
  );
  await home.asked(executionId, 'ask');
  const handle = (await stackTemporal()).workflow.getHandle(executionId);
  const engine = async () => {
    const { raw, historyLength } = await handle.describe();
    return { historyLength, activities: raw.pendingActivities?.length ?? 0, task: raw.pendingWorkflowTask ?? null };
  };
  await poll(engine).toMatchObject({ activities: 0, task: null });
  // xmin is the last transaction that wrote the row.
  const rows = () => stackDatabase().$queryRaw`
    SELECT e.xmin::text AS execution, e.updated_at, e.reconciled_at, e.revision, s.xmin::text AS step, p.xmin::text AS question
    FROM executions e JOIN execution_steps s ON s.execution_id = e.id LEFT JOIN pending_inputs p ON p.id = s.id
    WHERE e.id = ${executionId}::uuid ORDER BY s.position`;
  const [engineBefore, rowsBefore] = await Promise.all([engine(), rows()]);
  // Wait for two passes of the reconciler over everything open.
  for (let pass = 0; pass < 2; pass++) await home.ended(await lostStart(home.workspaceId));
  expect(await engine()).toEqual(engineBefore);
  expect(await rows()).toEqual(rowsBefore);
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('an accepted execution that was never started is started', async () => {
  const home = await makeHome();
  const execution = await home.ended(await lostStart(home.workspaceId));
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { done: true } });
});

/** Starts an execution with a question, then a remote and an inline step, then the given questions. */
async function asking(...more: ReturnType<typeof question>[]) {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        question('ask'),
        action('far', 'testing.succeed', { output: '{{ steps.ask.output.answer }}' }),
        action('after', 'core.transform', { value: '{{ steps.far.output }}' }),
        ...more,
      ],
      edges: chain('ask', 'far', 'after', ...more.map((node) => node.id)),
    }),
  );
  const { pendingInput } = await home.asked(executionId, 'ask');
  const id: string = pendingInput[0].stepId;
  const status = async () => (await stackDatabase().pendingInput.findUnique({ where: { id } }))?.status;
  return { home, executionId, id, status };
}

test('an accepted answer is in the rows before the signal; a lost signal is repeated, and counts once', async () => {
  const { home, executionId, id, status } = await asking();
  const question = { workspaceId: home.workspaceId, executionId, id };
  const far = { id: v7(), nodeId: 'far', iteration: '', label: 'far', type: 'action', attempt: 1 };
  const queued = { ...far, appId: 'testing', actionId: 'succeed', status: 'QUEUED' as const };
  const submitted = await submitAnswer(stackDatabase(), question, { answer: 'kept' }, [queued]);
  expect(submitted?.change).toMatchObject({ executionId, status: 'RUNNING' });
  expect(await submitAnswer(stackDatabase(), question, { answer: 'other' }, [])).toBeUndefined();
  const answered = await home.read(executionId);
  expect(answered.pendingInput).toEqual([]);
  expect(stepOf(answered, 'ask')).toMatchObject({ status: 'COMPLETED', output: { answer: 'kept' } });
  // The submission wrote this row as queued before the step began.
  expect(stepOf(answered, 'far').id).toBe(far.id);
  expect((await home.submit(executionId, 'ask', { answer: 'other' })).status).toBe(409);

  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 'kept' });
  expect(execution.executionPath).toHaveLength(3);
  await poll(status).toBe('APPLIED');
});

test('a repeated signal, as after a kill just after the first, changes nothing', async () => {
  const { home, executionId, id, status } = await asking(question('more'));
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
  await home.asked(executionId, 'more');
  await poll(status).toBe('APPLIED');
  await stackDatabase().$executeRaw`
    UPDATE pending_inputs SET status = 'SUBMITTED', signalled_at = now() - interval '1 hour',
      submitted_at = now() - interval '1 hour' WHERE id = ${id}::uuid`;
  // Only the reconciler does this, with the signal.
  await poll(status).toBe('APPLIED');
  expect((await home.submit(executionId, 'more', { answer: 'y' })).status).toBe(200);
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { answer: 'y' } });
  expect(execution.executionPath).toHaveLength(4);
});

test.each(['cancel', 'terminate'] as const)(
  'an execution that someone ends in Temporal (%s) ends here too',
  async (how) => {
    const home = await makeHome();
    const executionId = await withAllOpen(home, action('done', 'core.set', { values: {} }));
    await (await stackTemporal()).workflow.getHandle(executionId)[how]();
    const execution = await home.ended(executionId);
    expect(execution).toMatchObject({ status: 'CANCELLED', pendingInput: [], output: null });
    expect(execution.statusMessage).toMatch(how === 'cancel' ? /^Cancelled/ : /^Terminated/);
    expect(statuses(execution)).toEqual({ done: 'COMPLETED', long: 'CANCELLED', again: 'CANCELLED', ask: 'CANCELLED' });
    expect(stepOf(execution, 'long').stoppedAt).not.toBeNull();
    expect(await home.submit(executionId, 'ask', { answer: 'x' })).toMatchObject({ status: 409 });
    const questions = await stackDatabase().pendingInput.findMany({ where: { executionId } });
    expect(questions.map(({ status }) => status)).toEqual(['CLOSED']);
  },
);
