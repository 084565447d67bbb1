// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { CALLS_PER_HISTORY } from '../../domain/agent/turnCalls.ts';
import { builtWorkflows } from '../chaos/replayAll.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, type ModelStep, say } from '../setup/providers/modelScript.ts';
import { engineStatus, stackTemporal } from '../setup/stack/temporal.ts';
import { type AgentHome, makeAgentHome, textOf, tool, userMessage } from '../setup/workspace/agentHome.ts';

const CALLS_PER_STEP = 9;
const STEPS_PER_HISTORY = Math.ceil(CALLS_PER_HISTORY / (CALLS_PER_STEP + 1));

/** Creates a model that calls tools in `steps` steps, one call of each being an execution, and then answers. */
async function longTurnHome(steps: number, last: ModelStep[]): Promise<AgentHome> {
  const home = await makeAgentHome({
    ...{ memoryEnabled: true, tools: [tool('testing', 'succeed') as never] },
    ...{ longHorizonMode: true, longHorizonMaxSteps: steps + 1 },
  });
  home.provider.answerBy(({ body }) => {
    const step = body.messages.filter(({ role }) => role === 'assistant').length;
    if (step === steps) return last;
    const recalls = Array.from({ length: CALLS_PER_STEP - 1 }, (_, index) => ({
      ...{ id: `r-${step}-${index}`, name: 'recall', arguments: {} },
    }));
    return [
      { text: `${step} ` },
      ...callTools({ id: `s-${step}`, name: 'testing_succeed', arguments: {} }, ...recalls),
    ];
  });
  return home;
}

async function historiesOf(workflowId: string) {
  const { workflow } = await stackTemporal();
  const histories = [];
  for (let runId: string | undefined; ; ) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    histories.unshift(history);
    const before = history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    if (!before) return histories;
    runId = before;
  }
}

test('a long turn continues in further histories, each of them bounded and replayable; nothing is done twice', async () => {
  const steps = STEPS_PER_HISTORY + 2;
  const home = await longTurnHome(steps, say('Done'));
  const taskId = randomUUID();
  const turn = await home.stream(taskId, { message: userMessage('Take your time') });
  expect(await turn.done).toBe(true);
  expect(textOf(turn.chunks)).toBe(`${Array.from({ length: steps }, (_, step) => `${step} `).join('')}Done`);
  const run = await home.turn(taskId);
  expect(run).toMatchObject({ status: 'COMPLETED' });
  expect(run.steps.map(({ step }: { step: number }) => step)).toEqual(
    Array.from({ length: steps + 1 }, (_, i) => i + 1),
  );
  expect(home.provider.requests).toHaveLength(steps + 1);
  const calls = await home.database.runToolCall.groupBy({ by: ['status'], where: { runId: run.id }, _count: true });
  expect(calls).toEqual([{ status: 'COMPLETED', _count: steps * CALLS_PER_STEP }]);

  expect(await engineStatus(run.id)).toBe('COMPLETED');
  const histories = await historiesOf(run.id);
  expect(histories).toHaveLength(2);
  for (const { events } of histories) expect(events?.length).toBeLessThan(CALLS_PER_HISTORY * 15);
  const replayed = Worker.runReplayHistories(
    { workflowBundle: await builtWorkflows() },
    histories.map((history) => ({ workflowId: run.id, history })),
  );
  for await (const { error } of replayed) expect(error).toBeUndefined();
}, 240_000);

test('a stop reaches the continued history', async () => {
  const home = await longTurnHome(STEPS_PER_HISTORY + 1, [{ text: 'Now' }, { hang: true }]);
  const taskId = randomUUID();
  const turn = await home.stream(taskId, { message: userMessage('Take your time') });
  await poll(async () => textOf(turn.chunks), { timeout: 150_000 }).toContain('Now');
  expect((await home.stop(taskId)).body).toEqual({ stopped: true });
  expect(await turn.done).toBe(true);
  const run = await home.turn(taskId);
  expect(run.status).toBe('STOPPED');
  await engineStatus(run.id);
  expect(await historiesOf(run.id)).toHaveLength(2);
}, 180_000);
