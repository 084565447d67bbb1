import type { ToolKind } from '../../domain/agent/tool.ts';
import type { ToolCall, ToolStart } from '../../domain/agent/turnCalls.ts';
import { toolCallSpan } from '../../domain/trace/spanIds.ts';
import { inSpan } from '../../engine/tracing/work.ts';
import { readAgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { noteExecution, readCall } from '../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../services.ts';
import { settle } from './settleToolCall.ts';
import { changedSinceApproval } from './toolDigest.ts';
import { acceptAction } from './tools/action.ts';
import { acceptAgent } from './tools/agent.ts';
import { acceptBuiltIn } from './tools/builtIn.ts';
import { acceptDiscovery } from './tools/discovery.ts';
import { acceptEntity } from './tools/entity.ts';
import { acceptKnowledge } from './tools/knowledge.ts';
import { acceptMcp } from './tools/mcp.ts';
import { acceptMemory } from './tools/memory.ts';
import { acceptPlan } from './tools/plan.ts';
import { acceptPlatform } from './tools/platform.ts';
import { acceptResult } from './tools/result.ts';
import { acceptSelfInstructions } from './tools/selfInstructions.ts';
import type { AcceptedTool, ToolToRun } from './tools/toolToRun.ts';
import { acceptVariables } from './tools/variable.ts';
import { acceptWorkflow } from './tools/workflow.ts';

const ACCEPT: Readonly<Record<ToolKind, (services: ActivityServices, call: ToolToRun) => Promise<AcceptedTool>>> = {
  action: acceptAction,
  workflow: acceptWorkflow,
  agent: acceptAgent,
  knowledge: acceptKnowledge,
  result: acceptResult,
  mcp: acceptMcp,
  memory: acceptMemory,
  plan: acceptPlan,
  selfInstructions: acceptSelfInstructions,
  entity: acceptEntity,
  variable: acceptVariables,
  builtIn: acceptBuiltIn,
  discovery: acceptDiscovery,
  platform: acceptPlatform,
};

/** Begins the call; if that is impossible, the model receives the reason. */
export async function acceptToolCall(services: ActivityServices, call: ToolCall): Promise<ToolStart> {
  const { workspaceId, runId, toolCallId } = call;
  const stored = await readCall(services.database, workspaceId, runId, toolCallId);
  if (stored?.status !== 'PENDING' || stored.isOver) return { kind: 'settled' };
  services.tracing.noteTurn(runId, stored.trace);
  const { agentId, taskId, input } = stored;
  const agent = await readAgentForTurn(services.database, workspaceId, agentId);
  if (!agent) return { kind: 'settled' };
  const changed = await changedSinceApproval(services, call, stored);
  if (changed !== undefined) {
    await settle(services, { ...stored, ...call }, { status: 'FAILED', error: changed });
    return { kind: 'settled' };
  }
  const toRun = { ...call, agentId, taskId, input, definition: agent.definition };
  const accepted = await inSpan(toolCallSpan(runId, toolCallId), () => ACCEPT[call.kind](services, toRun));
  if (accepted.kind === 'refused') {
    await settle(services, { ...stored, ...call }, { status: 'FAILED', error: accepted.error });
    return { kind: 'settled' };
  }
  if (accepted.kind === 'done') {
    await settle(services, { ...stored, ...call }, { status: 'COMPLETED', output: accepted.output });
    return { kind: 'settled' };
  }
  if (accepted.kind === 'execution') {
    await noteExecution(services.database, runId, toolCallId, accepted.start.executionId);
  }
  return accepted;
}
