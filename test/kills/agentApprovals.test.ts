// test: long
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { acceptTurn } from '../../prisma/store/turn/acceptTurn.ts';
import { poll } from '../setup/jest/poll.ts';
import { callTools, type ModelStep, say } from '../setup/providers/modelScript.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { sharedKill } from '../setup/stack/sharedKill.ts';
import { type AgentHome, agentHomeOn, tool } from '../setup/workspace/agentHome.ts';
import { requestsOf, scriptAgents } from '../setup/workspace/agentScripts.ts';
import { action } from '../setup/workspace/graph.ts';
import { stepOf } from '../setup/workspace/home.ts';

// API and worker are killed while steps wait for the approval of an agent's tool call.

const PATIENCE = { timeout: 90_000, interval: 200 };

const { stack, home: own, database } = await ownHome();

const testOfKill = sharedKill(stack);

const pays = callTools({ id: 'c', name: 'testing_succeed', arguments: { output: 7 } });
const isWaiting = ({ status }: { status: string }) => status === 'WAITING';

/** Starts an execution of one step whose agent `clerk` answers; with `isBelow`, another agent calls it. */
async function started(clerkSays: ModelStep[][], isBelow = false) {
  const home = await agentHomeOn(own, database);
  const tools = [tool('testing', 'succeed', { policy: 'approve' })] as never;
  const clerk = await home.agent({ instructions: 'clerk', tools });
  const boss = await home.agent({ instructions: 'boss', subAgentIds: [clerk] });
  scriptAgents(home, {
    boss: [callTools({ id: 'b', name: `agent_${clerk}`, arguments: { message: 'Pay' } }), say('All done.')],
    clerk: clerkSays,
  });
  const ask = action('ask', 'agent.run', { agentId: isBelow ? boss : clerk, message: 'Pay' }, { timeoutMs: 600_000 });
  const executionId = await home.execute(await home.deploy({ nodes: [ask] }));
  return { home, executionId };
}

const asked = async (home: AgentHome, executionId: string) =>
  stepOf(await home.read(executionId), 'ask').awaitedApproval;

async function approve(home: AgentHome, executionId: string): Promise<void> {
  const { agentId, taskId } = await asked(home, executionId);
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-c', approved: true }];
  const body = { message: { role: 'assistant', parts } };
  expect((await home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body })).status).toBe(200);
}

const answerOf = async (home: AgentHome, executionId: string) =>
  stepOf(await home.ended(executionId), 'ask').output?.text;

testOfKill('a step waits through a kill, and continues with the answer', async ({ kill }) => {
  const { home, executionId } = await started([pays, say('Paid.')]);
  await home.until(executionId, isWaiting);
  await kill();
  expect(await home.read(executionId)).toMatchObject({ status: 'WAITING', statusMessage: 'waits for an approval' });
  await approve(home, executionId);
  expect(await answerOf(home, executionId)).toBe('Paid.');
});

testOfKill('a step whose sub-agent asks waits through a kill, and so does the calling agent', async ({ kill }) => {
  const { home, executionId } = await started([pays, say('Paid.')], true);
  await home.until(executionId, isWaiting);
  await kill();
  await approve(home, executionId);
  expect(await answerOf(home, executionId)).toBe('All done.');
  expect(requestsOf(home, 'boss')).toHaveLength(2);
});

testOfKill(
  'an answer that was stored, and sent to no workflow, continues calling agent and step after the kill',
  async ({ othersStand, kill }) => {
    const { home, executionId } = await started([pays, say('Paid.')], true);
    await home.until(executionId, isWaiting);
    const { agentId, taskId } = await asked(home, executionId);
    const runId = randomUUID();
    await othersStand();
    const accepted = await acceptTurn(
      database,
      home.workspaceId,
      { agentId, taskId, runId },
      {
        ...{ kind: 'approval', answers: [{ approvalId: 'approve-c', approved: true }] },
        ...{ messageId: randomUUID(), queues: false, requestId: runId, granted: false },
      },
    );
    await kill();
    expect(accepted.outcome).toBe('accepted');
    expect(await answerOf(home, executionId)).toBe('All done.');
  },
);

testOfKill('killed while the approved turn works, the step has its answer', async ({ kill }) => {
  const { home, executionId } = await started([pays, [...say('Pa'), { hang: true }], say('Paid.')]);
  await home.until(executionId, isWaiting);
  const answering = approve(home, executionId).catch(() => undefined);
  await poll(() => requestsOf(home, 'clerk')[1]?.sent, PATIENCE).toBe('Pa');
  await kill();
  await answering;
  expect(await answerOf(home, executionId)).toBe('Paid.');
});

testOfKill('killed right after the execution was terminated, nobody is asked afterwards', async ({ kill }) => {
  const { home, executionId } = await started([pays], true);
  await home.until(executionId, isWaiting);
  const { taskId } = await asked(home, executionId);
  await home.api('POST', `/api/executions/${executionId}/terminate`, { body: {} });
  await kill();
  await poll(async () => (await home.turn(taskId).catch(() => undefined))?.status, PATIENCE).toBe('STOPPED');
  const { body } = await home.api('GET', `/api/tasks/${taskId}?expansion=pendingApprovals`);
  expect(body.pendingApprovals).toEqual([]);
});
