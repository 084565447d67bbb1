import { expect } from '@jest/globals';
import { CALLS_PER_HISTORY } from '../../../domain/agent/turnCalls.ts';
import { poll } from '../../setup/jest/poll.ts';
import { said, startMcpServer, textTool } from '../../setup/providers/mcpServer.ts';
import { callTools, say } from '../../setup/providers/modelScript.ts';
import { stackTemporal } from '../../setup/stack/temporal.ts';
import { type AgentHome, agentHomeOn, tool, userMessage } from '../../setup/workspace/agentHome.ts';
import { scriptAgents } from '../../setup/workspace/agentScripts.ts';
import { action } from '../../setup/workspace/graph.ts';
import { type Home, stepOf } from '../../setup/workspace/home.ts';
import { stackDatabase } from '../../setup/workspace/workspace.ts';
import { execute, type Recipes } from './recipe.ts';

export const TURNS = {
  async agentTurn(home) {
    const agent = await agentHomeOn(home, stackDatabase(), {
      tools: [
        tool('testing', 'succeed'),
        tool('testing', 'fail'),
        tool('testing', 'wait', { policy: 'approve' }),
      ] as never,
    });
    // A retry, parallel tools with one failure, and a tool with an approval.
    agent.provider.answer(
      [{ status: 503 }],
      callTools(
        { id: 'c1', name: 'testing_succeed', arguments: { output: 1 } },
        { id: 'c2', name: 'testing_fail', arguments: { retryable: false } },
      ),
      callTools(
        { id: 'c3', name: 'testing_wait', arguments: { ms: 1 } },
        { id: 'c4', name: 'testing_succeed', arguments: {} },
      ),
    );
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnApproved(home) {
    const agent = await agentHomeOn(home, stackDatabase(), {
      tools: [tool('testing', 'succeed', { policy: 'approve' })] as never,
    });
    agent.provider.answer(callTools({ id: 'c1', name: 'testing_succeed', arguments: {} }), say('Done.'));
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    const parts = [{ type: 'tool-approval-response', approvalId: 'approve-c1', approved: true }];
    await home.api('POST', `/api/agents/${agent.agentId}/tasks/${taskId}/message`, {
      body: { message: { role: 'assistant', parts } },
    });
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnStopped(home) {
    const agent = await agentHomeOn(home, stackDatabase(), { tools: [tool('testing', 'wait')] as never });
    agent.provider.answer(callTools({ id: 'c1', name: 'testing_wait', arguments: { ms: 60_000 } }));
    const taskId = `t-${agent.agentId}`;
    const turn = await agent.stream(taskId, { message: userMessage('Hi') });
    const begun = () =>
      stackDatabase().runToolCall.count({ where: { run: { task: { clientId: taskId } }, executionId: { not: null } } });
    await poll(begun, { timeout: 30_000, interval: 100 }).toBe(1);
    await agent.stop(taskId);
    await turn.done;
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnNamed(home) {
    const agent = await agentHomeOn(home, stackDatabase(), { taskNamingInstructions: 'Three words.' });
    agent.provider.answer(say('Done.'), [{ status: 503 }], say('A short name'));
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentRun(home) {
    const agent = await agentHomeOn(home, stackDatabase());
    agent.provider.answer([{ hang: true }], say('At last'));
    const inputs = { agentId: agent.agentId, message: 'Hi' };
    const more = { timeoutMs: 1_000, retry: { maximumAttempts: 2, initialIntervalMs: 1 } };
    const id = await execute(home, { nodes: [action('ask', 'agent.run', inputs, more)] });
    await home.ended(id);
    return id;
  },
  async agentTurnMcp(home) {
    const { url } = await startMcpServer({
      tools: [textTool('read', { readOnlyHint: true }), textTool('pay')],
      answer: ({ name }) => said(name),
    });
    const agent = await agentHomeOn(home, stackDatabase(), { mcpServers: [{ name: 'shop', url }] as never });
    agent.provider.answer(
      callTools({ id: 'c1', name: 'mcp_shop_read', arguments: {} }, { id: 'c2', name: 'mcp_shop_pay', arguments: {} }),
      say('Done.'),
    );
    const taskId = `t-${agent.agentId}`;
    await agent.send(taskId, 'Hi');
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentTurnContinues(home) {
    const engineId = await longTurn(home);
    const { workflow } = await stackTemporal();
    const { events } = await workflow.getHandle(engineId).fetchHistory();
    const runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    expect(runId).toBeTruthy();
    return { engineId, runId: runId ?? undefined };
  },
  agentTurnContinued: async (home) => ({ engineId: await longTurn(home) }),
  async agentTurnCallsAgent(home) {
    const agent = await agentHomeOn(home, stackDatabase());
    const called = await agent.agent({ instructions: 'clerk' });
    const caller = await agent.agent({ instructions: 'boss', subAgentIds: [called] });
    const { slug } = await agent.database.agent.findUniqueOrThrow({ where: { id: called } });
    scriptAgents(agent, {
      boss: [callTools({ id: 'c1', name: `agent_${slug}`, arguments: { message: 'Look' } }), say('Done.')],
      clerk: [say('Seven')],
    });
    const taskId = `t-${caller}`;
    await home.api('POST', `/api/agents/${caller}/tasks/${taskId}/message`, { body: { message: userMessage('Hi') } });
    return { engineId: (await agent.turn(taskId)).id };
  },
  async agentRunApproved(home) {
    const { agent, executionId } = await asking(home, { timeoutMs: 60_000 });
    await approve(agent, executionId);
    await home.ended(executionId);
    return executionId;
  },
  async agentRunWithdrawn(home) {
    const { executionId } = await asking(home);
    await home.api('POST', `/api/executions/${executionId}/cancel`, { body: {} });
    await home.ended(executionId);
    return executionId;
  },
  async agentRunOfAsking(home) {
    const { agent, executionId } = await askingBelow(home);
    await approve(agent, executionId);
    await home.ended(executionId);
    return executionId;
  },
  async agentTurnCallsAsking(home) {
    const { agent, executionId } = await askingBelow(home);
    await approve(agent, executionId);
    await home.ended(executionId);
    const { taskId } = stepOf(await home.read(executionId), 'ask').input;
    return { engineId: (await agent.turn(taskId)).id };
  },
} satisfies Recipes;

const APPROVED = [tool('testing', 'succeed', { policy: 'approve' })] as never;
const ASKS = callTools({ id: 'c1', name: 'testing_succeed', arguments: {} });

/** Its step waits for an approval. */
async function asking(home: Home, more: object = {}) {
  const agent = await agentHomeOn(home, stackDatabase(), { tools: APPROVED });
  agent.provider.answer(ASKS, say('Done.'));
  const inputs = { agentId: agent.agentId, message: 'Hi' };
  const executionId = await execute(home, { nodes: [action('ask', 'agent.run', inputs, more)] });
  await home.until(executionId, ({ status }) => status === 'WAITING');
  return { agent, executionId };
}

/** Its agent has called another one, which needs an approval. */
async function askingBelow(home: Home) {
  const agent = await agentHomeOn(home, stackDatabase());
  const called = await agent.agent({ instructions: 'clerk', tools: APPROVED });
  const caller = await agent.agent({ instructions: 'boss', subAgentIds: [called] });
  const { slug } = await agent.database.agent.findUniqueOrThrow({ where: { id: called } });
  scriptAgents(agent, {
    boss: [callTools({ id: 'b1', name: `agent_${slug}`, arguments: { message: 'Look' } }), say('Done.')],
    clerk: [ASKS, say('Seven')],
  });
  const inputs = { agentId: caller, message: 'Hi' };
  const executionId = await execute(home, { nodes: [action('ask', 'agent.run', inputs, { timeoutMs: 60_000 })] });
  await home.until(executionId, ({ status }) => status === 'WAITING');
  return { agent, executionId };
}

async function approve(agent: AgentHome, executionId: string): Promise<void> {
  const { agentId, taskId } = stepOf(await agent.read(executionId), 'ask').awaitedApproval;
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-c1', approved: true }];
  await agent.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, {
    body: { message: { role: 'assistant', parts } },
  });
}

/** As many calls as a history takes in one step; the answering step has another one. */
async function longTurn(home: Home): Promise<string> {
  const agent = await agentHomeOn(home, stackDatabase(), { enabledBuiltInTools: ['current_time'] });
  const half = (step: number) =>
    callTools(
      ...Array.from({ length: CALLS_PER_HISTORY / 2 }, (_, n) => ({
        ...{ id: `c${step}-${n}`, name: 'current_time', arguments: {} },
      })),
    );
  agent.provider.answer(half(1), half(2), say('Done.'));
  const taskId = `t-${agent.agentId}`;
  await agent.send(taskId, 'Hi');
  return (await agent.turn(taskId)).id;
}
