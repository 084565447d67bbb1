import { createHash } from 'node:crypto';
import type { AgentDefinition } from '../../domain/agent/definition.ts';
import type { MadeCall } from '../../domain/agent/settledCall.ts';
import type { OfferedTool } from '../../domain/agent/tool.ts';
import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { readAgentForTurn } from '../../prisma/store/agent/readAgentForTurn.ts';
import { readMcpTools } from '../../prisma/store/turn/mcpTools.ts';
import type { CallToRun } from '../../prisma/store/turn/toolCalls.ts';
import type { ActivityServices } from '../services.ts';
import { offeredTools } from './offeredTools.ts';
import { type ActionTool, connectionOf } from './tools/action.ts';

// Until an approval, the agent, a connection or a slug may change. Then something else than was approved would run.

/** Stored with the digest of its tool if it needs approval. */
export type DigestedCall = MadeCall & { shown?: string };

export function withToolDigests(
  services: ActivityServices,
  workspaceId: string,
  definition: AgentDefinition,
  tools: ReadonlyMap<string, OfferedTool>,
  calls: readonly MadeCall[],
): Promise<DigestedCall[]> {
  return Promise.all(
    calls.map(async (call) => {
      const tool = call.status === 'NEEDS_APPROVAL' ? tools.get(call.name) : undefined;
      return tool ? { ...call, shown: await digestOf(services, workspaceId, definition, tool) } : call;
    }),
  );
}

/** Returns why an approved call must not run: its tool differs from the one shown. Undefined if it may run. */
export async function changedSinceApproval(
  services: ActivityServices,
  { workspaceId, runId }: TurnRef,
  { shown, name, input, agentId, taskId }: Pick<CallToRun, 'shown' | 'name' | 'input' | 'agentId' | 'taskId'>,
): Promise<string | undefined> {
  if (shown === null) return undefined;
  const { database } = services;
  const agent = await readAgentForTurn(database, workspaceId, agentId);
  if (!agent) return changed('the agent is gone');
  const { definition } = agent;
  const listed = (await readMcpTools(database, workspaceId, runId)) ?? [];
  const tool = (await offeredTools(services, workspaceId, definition, { taskId, listed })).get(name);
  if (!tool) return changed('the agent no longer has this tool');
  if ((await digestOf(services, workspaceId, definition, tool)) !== shown) {
    return changed(
      'it is not the tool that a person has approved. Call it again: a person is asked about it as it is now',
    );
  }
  const problems = tool.problems(input);
  return problems.length === 0
    ? undefined
    : changed(`the approved arguments do not fit it now: ${problems.join('; ')}`);
}

function changed(why: string): string {
  return `TOOL_CHANGED: ${why}`;
}

async function digestOf(
  services: ActivityServices,
  workspaceId: string,
  definition: AgentDefinition,
  tool: OfferedTool,
): Promise<string> {
  const { kind, policy, bound = null } = tool;
  const used =
    kind === 'action' ? await connectionOf(services, workspaceId, definition, tool as ActionTool) : undefined;
  const connectionId = used ?? null;
  return createHash('sha256').update(canonicalJson({ kind, policy, bound, connectionId })).digest('hex');
}
