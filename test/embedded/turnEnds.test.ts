import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { agentDefinition } from '../../domain/agent/definition.ts';
import { NO_USAGE } from '../../domain/agent/usage.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { endTurn } from '../../engine/turns/endTurn.ts';
import { acceptTurn } from '../../prisma/store/turn/acceptTurn.ts';
import { finishStep } from '../../prisma/store/turn/finishStep.ts';
import { openAttempt } from '../../prisma/store/turn/openAttempt.ts';
import { requestStop } from '../../prisma/store/turn/requestStop.ts';
import { isStepFinished } from '../../prisma/store/turn/runState.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;
let feed: ChangeFeed;
let agentId: string;

beforeAll(async () => {
  own = await startOwnApi();
  feed = new ChangeFeed({ database: own.database, log: pino({ level: 'silent' }), pollMs: 3_600_000 });
  agentId = v7();
  const { workspaceId, projectId } = own;
  const definition = agentDefinition({ instructions: 'Help.', model: 'm' }) as object;
  const hash = new Uint8Array(32);
  const data = { id: agentId, workspaceId, projectId, slug: agentId, name: 'a', definition, hash };
  await own.database.agent.create({ data });
});
afterAll(async () => {
  await feed?.stop();
  await own?.dispose();
});

async function turnWithCalls() {
  const { database, workspaceId } = own;
  const [clientId, runId, messageId] = [v7(), v7(), v7()];
  const message = { id: v7(), parts: [{ type: 'text', text: 'Hi' }] };
  const asked = { kind: 'message', message, replaces: false, messageId, queues: true, requestId: 'r', granted: false };
  await acceptTurn(database, workspaceId, { agentId, taskId: clientId, runId }, asked as never);
  const { id: taskId } = await database.task.findFirstOrThrow({ where: { clientId } });
  const opened = await openAttempt(database, workspaceId, runId, 1);
  const group = {
    ...{ runId, step: 1, attempt: opened?.attempt ?? 0, sequence: (opened?.sequence ?? 0) + 1 },
    chunks: [
      { type: 'start', messageId },
      { type: 'start-step' },
      ...['runs', 'asks'].map((toolCallId) => ({
        ...{ type: 'tool-input-available', toolCallId, toolName: 'testing_succeed', input: {} },
      })),
      { type: 'tool-approval-request', toolCallId: 'asks', approvalId: 'approve-asks' },
    ] as never,
  };
  const recorded = { step: 1, finishReason: 'tool-calls', usage: NO_USAGE, goesOn: true };
  const call = { name: 'testing_succeed', kind: 'action', input: {} };
  const calls = [
    { ...call, toolCallId: 'runs', status: 'PENDING' },
    { ...call, toolCallId: 'asks', status: 'NEEDS_APPROVAL' },
  ] as never;
  const finish = () => finishStep(database, workspaceId, group, recorded, calls);
  return { taskId, runId, messageId, group, finish };
}

const close = (runId: string) =>
  // No other turn is queued, so none is started.
  endTurn(
    { database: own.database, feed, turns: undefined as never },
    { workspaceId: own.workspaceId, runId, status: 'NEEDS_APPROVAL' },
  );

async function statesOf(messageId: string, taskId: string) {
  const stored = await own.database.taskMessage.findUnique({ where: { taskId_id: { taskId, id: messageId } } });
  const parts = (stored?.parts ?? []) as { state?: string }[];
  return parts.flatMap(({ state }) => state ?? []);
}

test('a turn that was asked to stop before its tools began asks nobody: it is stopped, and its calls say so', async () => {
  const { taskId, runId, messageId, finish } = await turnWithCalls();
  await finish();
  await requestStop(own.database, own.workspaceId, taskId);
  expect(await close(runId)).toEqual({ status: 'STOPPED' });
  expect(await statesOf(messageId, taskId)).toEqual(['output-error', 'output-error']);
  expect(await close(runId)).toEqual({ status: 'STOPPED' });
});

test('a turn without a stop waits for the approval', async () => {
  const { taskId, runId, messageId, finish } = await turnWithCalls();
  await finish();
  expect(await close(runId)).toEqual({ status: 'NEEDS_APPROVAL' });
  expect(await statesOf(messageId, taskId)).toEqual(['input-available', 'approval-requested']);
});

test('an attempt recognises that its own earlier write ended the step', async () => {
  const { runId, group, finish } = await turnWithCalls();
  const { database, workspaceId } = own;
  expect(await isStepFinished(database, workspaceId, group)).toBe(false);
  expect(await finish()).toMatchObject({ status: 'RUNNING' });
  expect(await finish()).toBeUndefined();
  expect(await isStepFinished(database, workspaceId, group)).toBe(true);
  expect(await isStepFinished(database, v7(), group)).toBe(false);
  await openAttempt(database, workspaceId, runId, 1);
  expect(await isStepFinished(database, workspaceId, group)).toBe(false);
});

test.each([
  [true, 'output-error'],
  [false, 'output-denied'],
])(
  'an answered approval (%s) of a turn that ended before its first model call leaves no question',
  async (approved, state) => {
    const { database, workspaceId } = own;
    const { taskId, runId, messageId, finish } = await turnWithCalls();
    await finish();
    await close(runId);
    const { clientId } = await database.task.findFirstOrThrow({ where: { id: taskId } });
    const answers = [{ approvalId: 'approve-asks', approved }];
    const answer = { kind: 'approval', answers, messageId: v7(), queues: true, requestId: 'r', granted: false };
    const next = v7();
    await acceptTurn(database, workspaceId, { agentId, taskId: clientId, runId: next }, answer as never);
    await requestStop(database, workspaceId, taskId);
    const turn = { workspaceId, runId: next, status: 'STOPPED' as const };
    await endTurn({ database, feed, turns: undefined as never }, turn);
    expect(await statesOf(messageId, taskId)).toEqual(['input-available', state]);
    const [chunks] = await database.runChunk.findMany({ where: { runId: next } });
    expect(chunks?.payload).toMatchObject([{ type: `tool-${state}`, toolCallId: 'asks' }]);
  },
);
