import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { isOpen } from '../../../domain/agent/runStatus.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { agentToolNames } from '../../../domain/agent/toolNames.ts';
import type { CalledTurn, ToolCall } from '../../../domain/agent/turnCalls.ts';
import { answerText, errorTextOf, UNANSWERED } from '../../../domain/agent/turnEnd.ts';
import { derivedId } from '../../../domain/derivedId.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { type CallableAgent, callableAgents } from '../../../prisma/store/agent/callableAgents.ts';
import { readCalledTurn } from '../../../prisma/store/turn/readCalledTurn.ts';
import type { ActivityServices } from '../../services.ts';
import { acceptChildTurn } from '../childTurn.ts';
import type { AcceptedTool, ToolResult, ToolToRun } from './toolToRun.ts';

const MAX_MESSAGE_LENGTH = 100_000;

export interface AgentAsTool extends OfferedTool {
  agent: CallableAgent;
}

export async function agentTools(
  { database }: ActivityServices,
  workspaceId: string,
  { subAgentIds, enabledToolPolicies }: AgentDefinition,
): Promise<AgentAsTool[]> {
  const agents = await callableAgents(database, workspaceId, subAgentIds);
  const names = agentToolNames(agents);
  return agents.map((agent): AgentAsTool => {
    const name = names.get(agent.id) ?? agent.id;
    const described = agent.description === null ? '' : `: ${agent.description}`;
    return {
      name,
      description: `Asks the agent ${agent.name}${described}. It knows nothing of this conversation: tell it all that it needs.`,
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'Task or question for the agent' } },
        required: ['message'],
        additionalProperties: false,
      },
      kind: 'agent',
      policy: enabledToolPolicies[name] ?? 'auto',
      problems: problemsOf,
      agent,
      bound: { agentId: agent.id },
    };
  });
}

function problemsOf({ message, ...more }: JsonObject): string[] {
  const isMessage = typeof message === 'string' && message.trim() !== '' && message.length <= MAX_MESSAGE_LENGTH;
  return [
    ...(isMessage ? [] : [`message: expected a text of 1 to ${MAX_MESSAGE_LENGTH} characters`]),
    ...Object.keys(more).map((key) => `${key}: unknown key, expected message`),
  ];
}

function childOf({ runId, toolCallId }: ToolCall) {
  return { runId: derivedId(runId, `turn ${toolCallId}`), taskId: derivedId(runId, `task ${toolCallId}`) };
}

export async function acceptAgent(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, definition, input } = call;
  const tool = (await agentTools(services, workspaceId, definition)).find(({ name }) => name === call.name);
  if (!tool) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const accepted = await acceptChildTurn(services, {
    ...childOf(call),
    isOwnTask: true,
    workspaceId,
    agent: tool.agent,
    text: String(input.message),
    name: call.name,
    parent: { runId: call.runId, taskId: call.taskId },
  });
  return accepted.kind === 'accepted'
    ? { kind: 'turn', start: accepted.start }
    : { kind: 'refused', error: accepted.message };
}

/** For an approval a step waits, but a conversation does not: its agent gets an error that names the task. */
export async function followCall({ database, engine }: ActivityServices, call: ToolCall): Promise<CalledTurn> {
  const { workspaceId } = call;
  const called = await readCalledTurn(database, workspaceId, childOf(call).runId);
  if (!called?.step) return { kind: 'ended' };
  const turn = { workspaceId, runId: called.runId };
  if (isOpen(called.status)) return { kind: 'runs', start: { turn, name: call.name, queued: true } };
  if (called.status !== 'NEEDS_APPROVAL') return { kind: 'ended' };
  const { host = null, ...step } = called.step;
  await engine.wakeStep({ ...step, host });
  return { kind: 'asks', turn };
}

export async function agentResult({ database }: ActivityServices, call: ToolCall): Promise<ToolResult> {
  const { runId, taskId } = childOf(call);
  const answer = await readCalledTurn(database, call.workspaceId, runId);
  if (answer?.isUnanswered) return { status: 'STOPPED', error: UNANSWERED };
  if (answer?.status === 'COMPLETED') {
    return { status: 'COMPLETED', output: { taskId, text: answerText(answer.message) } };
  }
  if (answer?.status === 'NEEDS_APPROVAL') {
    const error = `The agent needs a person's approval for a tool call. It continues in its task ${taskId} once somebody has answered there`;
    return { status: 'FAILED', error };
  }
  if (answer?.status === 'FAILED') return { status: 'FAILED', error: errorTextOf(answer.code) };
  return { status: 'STOPPED', error: 'The turn of the agent was stopped' };
}
