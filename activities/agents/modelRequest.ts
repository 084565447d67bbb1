import type { UIMessage } from 'ai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { chatMessages, lookBack } from '../../domain/agent/chatMessages.ts';
import { type ContextTrimmed, withinBudget } from '../../domain/agent/contextBudget.ts';
import { AGENT_DEFAULTS } from '../../domain/agent/definition.ts';
import { foundNames } from '../../domain/agent/discovery.ts';
import { plans } from '../../domain/agent/plan.ts';
import type { OfferedTool } from '../../domain/agent/tool.ts';
import { forcedTool, PLAN_TOOL, toolNameOf } from '../../domain/agent/toolNames.ts';
import type { ModelCall } from '../../domain/agent/turnCalls.ts';
import { foldMessage } from '../../engine/turns/foldMessage.ts';
import type { AgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import type { OpenedAttempt } from '../../prisma/store/turn/openAttempt.ts';
import { tokenEstimate } from './tokenEstimate.ts';
import { withApprovedPlan } from './tools/plan.ts';

export interface PreparedRequest {
  body: ChatCompletionCreateParamsStreaming;
  takenIds: ReadonlySet<string>;
  tools: readonly OfferedTool[];
  mayCall: boolean;
  /** Omissions from the request; undefined if it is complete. */
  trimmed: ContextTrimmed | undefined;
}

/** `maxTokens` applies if the provider accepts fewer tokens than the agent's settings say. */
export async function modelRequest(
  { step }: ModelCall,
  { messageId, steps, calledTokens, messages, chunks }: OpenedAttempt,
  { definition, selfInstructions }: AgentForTurn,
  offered: readonly OfferedTool[],
  provider: string,
  maxTokens: number | null,
): Promise<PreparedRequest> {
  const own = messages.find(({ id }) => id === messageId);
  const message = await foldMessage(messageId, own, chunks);
  const before = messages.filter(({ id }) => id !== messageId);
  const known = [...lookBack(before, definition.messageLookbackLimit ?? undefined), message];
  const found = foundNames(known);
  const callable = offered.filter(({ name, mustBeFound }) => !mustBeFound || found.has(name));
  const tools = withApprovedPlan(callable, definition, message);
  const mayCall = step <= roundtripsOf(definition) && !isOverBudget(definition, steps, calledTokens);
  const instructions = instructionsOf(definition, selfInstructions);
  const forced = forcedTool([...(plans(definition) ? [PLAN_TOOL] : []), ...definition.forcedTools], message);
  const offer = toolsOf(tools, { mayCall, forced });
  const { contextTokens = AGENT_DEFAULTS.contextTokens } = definition;
  const most = Math.min(contextTokens, maxTokens ?? contextTokens);
  const shown = await fitting(known, `${instructions}${JSON.stringify(offer)}`, most);
  const body: ChatCompletionCreateParamsStreaming = {
    model: definition.selectedModelId,
    messages: chatMessages(instructions, shown.messages, provider),
    stream: true,
    stream_options: { include_usage: true },
    ...settingsOf(definition),
    ...offer,
  };
  return {
    body,
    takenIds: callIds(message),
    tools,
    mayCall,
    trimmed: shown.trimmed,
  };
}

/** A token has at least one byte, so most conversations need no count. */
async function fitting(messages: readonly UIMessage[], fixed: string, contextTokens: number) {
  if (Buffer.byteLength(fixed) + Buffer.byteLength(JSON.stringify(messages)) <= contextTokens) return { messages };
  const tokensOf = await tokenEstimate();
  return withinBudget(messages, { tokens: contextTokens - tokensOf(fixed), tokensOf });
}

function instructionsOf({ instructions }: AgentForTurn['definition'], added: string | null): string {
  return added === null ? instructions : `${instructions}\n\nYou have added to your instructions:\n${added}`;
}

function settingsOf(definition: AgentForTurn['definition']) {
  const { temperature, topP, frequencyPenalty, presencePenalty, seed } = definition;
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { top_p: topP }),
    ...(frequencyPenalty === null ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === null ? {} : { presence_penalty: presencePenalty }),
    ...(seed === null ? {} : { seed }),
  };
}

/** In a turn with a budget, the answer is the last step. */
function roundtripsOf({ longHorizonMode, longHorizonMaxSteps, maxToolRoundtrips }: AgentForTurn['definition']): number {
  return longHorizonMode ? longHorizonMaxSteps - 1 : maxToolRoundtrips;
}

/** The steps of the turn, and the agents that it called, have used its token budget, so the next step is the answer. */
function isOverBudget(
  { longHorizonMode, longHorizonMaxTokensPerRun }: AgentForTurn['definition'],
  steps: OpenedAttempt['steps'],
  calledTokens: number,
): boolean {
  const used = steps.reduce((sum, { usage }) => sum + usage.totalTokens, calledTokens);
  return longHorizonMode && used >= longHorizonMaxTokensPerRun;
}

interface Choice {
  mayCall: boolean;
  forced: string | undefined;
}

/** After the last round trip the conversation still names the tools, so the model receives them but may call none. */
function toolsOf(tools: readonly OfferedTool[], { mayCall, forced }: Choice) {
  if (tools.length === 0) return {};
  const isThere = tools.some(({ name }) => name === forced);
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: inputSchema },
    })),
    ...(mayCall ? {} : { tool_choice: 'none' as const }),
    ...(mayCall && isThere && forced !== undefined
      ? { tool_choice: { type: 'function' as const, function: { name: forced } } }
      : {}),
  };
}

function callIds({ parts }: UIMessage): ReadonlySet<string> {
  return new Set(
    parts.flatMap((part) => (toolNameOf(part) !== undefined && 'toolCallId' in part ? [part.toolCallId] : [])),
  );
}
