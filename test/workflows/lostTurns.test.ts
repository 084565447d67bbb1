import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { guarded } from '../../activities/guardedActivity.ts';
import type { ToolCallRef } from '../../domain/agent/tool.ts';
import type { ToolEnd, TurnActivities, TurnEnd } from '../../domain/agent/turnCalls.ts';
import { AGENT_TURN } from '../../temporal-workflows/names.ts';
import { builtWorkflows } from '../chaos/replayAll.ts';
import { gate } from '../setup/jest/gate.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';

Runtime.install({ logger: new DefaultLogger('WARN') });

// A worker without heartbeats never detects the stop, like one that is killed right after a heartbeat.

/** Activities that the turn must not call. */
const UNREACHED = Object.fromEntries(
  ['callModel', 'acceptToolCall', 'settleToolCall', 'callTool', 'endTurn', 'nameTask', 'stopTurn', 'awaitTurn'].map(
    (name) => [name, () => Promise.reject(new Error(`${name} is not expected`))],
  ),
);

/** Stops the turn while `lost` runs; returns how its workflow ended. */
async function stopped(lost: 'callModel' | 'callTool', activities: Partial<TurnActivities>): Promise<unknown> {
  const begun = gate();
  const over = gate();
  const silent = () => {
    begun.goOn();
    return over.after;
  };
  return ended({ ...activities, [lost]: silent }, async (turn) => {
    await begun.after;
    await turn.cancel();
    return turn.result().finally(over.goOn);
  });
}

async function ended(
  activities: Record<string, unknown>,
  meanwhile = (turn: WorkflowHandle): Promise<unknown> => turn.result(),
): Promise<unknown> {
  const { workflow } = await stackTemporal();
  const connection = await NativeConnection.connect({ address: inject('stack').temporalAddress });
  const workflowId = randomUUID();
  const worker = await Worker.create({
    connection,
    taskQueue: workflowId,
    workflowBundle: await builtWorkflows(),
    activities: { ...UNREACHED, ...activities },
  });
  try {
    return await worker.runUntil(async () => {
      const args = [{ workspaceId: randomUUID(), runId: workflowId }];
      return meanwhile(await workflow.start(AGENT_TURN, { workflowId, taskQueue: workflowId, args }));
    });
  } finally {
    await connection.close();
  }
}

test('a turn whose worker is lost during a model call before it learns of the stop is stopped, not failed', async () => {
  const ends: TurnEnd[] = [];
  const end = await stopped('callModel', {
    async endTurn(turnEnd) {
      ends.push(turnEnd);
      return { status: turnEnd.status };
    },
  });
  expect(end).toBe('STOPPED');
  expect(ends).toMatchObject([{ status: 'STOPPED' }]);
}, 60_000);

test('a tool whose worker is lost before it learns of the stop is cancelled, and so is the turn', async () => {
  const call: ToolCallRef = { toolCallId: 'c1', kind: 'action', name: 'http_request' };
  const tools: ToolEnd[] = [];
  const end = await stopped('callTool', {
    callModel: async () => ({ kind: 'answered', done: false, calls: [call], asks: false }),
    acceptToolCall: async () => ({ kind: 'activity', tries: 3 }),
    async settleToolCall(toolEnd) {
      tools.push(toolEnd);
    },
    endTurn: async ({ status }) => ({ status }),
  });
  expect(end).toBe('STOPPED');
  expect(tools).toMatchObject([{ toolCallId: 'c1', status: 'CANCELLED' }]);
}, 60_000);

test.each(['acceptToolCall', 'settleToolCall'] as const)(
  'a turn whose %s fails for good by our own code has failed, and says so: its task is not left as if it still ran',
  async (failing) => {
    const call: ToolCallRef = { toolCallId: 'c1', kind: 'action', name: 'http_request' };
    const ends: TurnEnd[] = [];
    const broken = () => Promise.reject(new RangeError('of our own code'));
    const log = pino({ enabled: false });
    const end = await ended({
      callModel: async () => ({ kind: 'answered', done: false, calls: [call], asks: false }),
      acceptToolCall: async () => ({ kind: 'activity', tries: 1 }),
      callTool: async () => undefined,
      async endTurn(turnEnd: TurnEnd) {
        ends.push(turnEnd);
        return { status: turnEnd.status };
      },
      [failing]: guarded(failing, { log, maxTries: 1 }, broken),
    });
    expect(end).toBe('FAILED');
    expect(ends).toMatchObject([{ status: 'FAILED', code: 'INTERNAL' }]);
  },
  60_000,
);
