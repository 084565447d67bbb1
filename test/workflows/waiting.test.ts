import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { createAdHocExecution } from '../../prisma/store/execution/createExecution.ts';
import { claimPendingInput } from '../../prisma/store/execution/pendingInput.ts';
import { withAllOpen } from '../setup/allOpen.ts';
import { action, chain, question } from '../setup/graph.ts';
import { makeHome, statuses, stepOf } from '../setup/home.ts';
import { stackTemporal } from '../setup/temporal.ts';
import { stackDatabase } from '../setup/workspace.ts';

/** Accepted and never started, as if the process had died in between. */
async function lostStart(workspaceId: string): Promise<string> {
  const id = v7();
  const definition = {
    trigger: { id: 'trigger' as const, type: 'manual' as const, config: {} },
    nodes: [action('a', 'core.set', { values: { done: true } })],
    edges: [],
  };
  const execution = { id, trigger: {}, variables: { names: [] }, requestId: 'lost', name: 'Lost', definition };
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
  await expect.poll(engine).toMatchObject({ activities: 0, task: null });
  // xmin is the last transaction that wrote the row.
  const rows = () => stackDatabase().$queryRaw`
    SELECT e.xmin::text AS execution, e.updated_at, e.reconciled_at, e.revision, s.xmin::text AS step, p.xmin::text AS question
    FROM executions e JOIN execution_steps s ON s.execution_id = e.id LEFT JOIN pending_inputs p ON p.id = s.id
    WHERE e.id = ${executionId}::uuid ORDER BY s.position`;
  const [engineBefore, rowsBefore] = await Promise.all([engine(), rows()]);
  // Two passes of the reconciler over everything that is open.
  for (let pass = 0; pass < 2; pass++) await home.ended(await lostStart(home.workspaceId));
  expect(await engine()).toEqual(engineBefore);
  expect(await rows()).toEqual(rowsBefore);
  expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBe(200);
  expect((await home.ended(executionId)).status).toBe('COMPLETED');
});

test('what was accepted and never started is started', async () => {
  const home = await makeHome();
  const execution = await home.ended(await lostStart(home.workspaceId));
  expect(execution).toMatchObject({ status: 'COMPLETED', output: { done: true } });
});

test('an accepted answer whose signal was lost is applied, once', async () => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [question('ask'), action('after', 'core.transform', { value: '{{ steps.ask.output.answer }}' })],
      edges: chain('ask', 'after'),
    }),
  );
  const { pendingInput } = await home.asked(executionId, 'ask');
  const claimed = await claimPendingInput(stackDatabase(), home.workspaceId, pendingInput[0].stepId, {
    answer: 'kept',
  });
  expect(claimed).toEqual({ answered: true });
  expect((await home.submit(executionId, 'ask', { answer: 'other' })).status).toBe(409);
  const execution = await home.ended(executionId);
  expect(execution).toMatchObject({ status: 'COMPLETED', output: 'kept' });
  expect(execution.executionPath).toHaveLength(2);
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
