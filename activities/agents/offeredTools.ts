import type { AgentDefinition } from '../../domain/agent/definition.ts';
import type { ListedTool } from '../../domain/agent/mcpTool.ts';
import type { OfferedTool } from '../../domain/agent/tool.ts';
import type { ActivityServices } from '../services.ts';
import { withApps } from '../withApps.ts';
import { actionTools, discoverableActions } from './tools/action.ts';
import { agentTools } from './tools/agent.ts';
import { builtInTools } from './tools/builtIn.ts';
import { discoveryTools } from './tools/discovery.ts';
import { entityTools } from './tools/entity.ts';
import { knowledgeTools } from './tools/knowledge.ts';
import { mcpTools } from './tools/mcp.ts';
import { memoryTools } from './tools/memory.ts';
import { planTools } from './tools/plan.ts';
import { platformTools } from './tools/platform.ts';
import { resultTools } from './tools/result.ts';
import { selfInstructionTools } from './tools/selfInstructions.ts';
import { variableTools } from './tools/variable.ts';
import { workflowTools } from './tools/workflow.ts';

export async function offeredTools(
  given: ActivityServices,
  workspaceId: string,
  definition: AgentDefinition,
  { taskId, listed }: { taskId: string; listed: readonly ListedTool[] },
): Promise<Map<string, OfferedTool>> {
  const services = await withApps(given, workspaceId);
  const tools: OfferedTool[] = [
    ...(await discoverableActions(services, workspaceId, definition)),
    ...actionTools(services.catalogue, definition),
    ...(await workflowTools(services, workspaceId, definition)),
    ...(await agentTools(services, workspaceId, definition)),
    ...(await knowledgeTools(services, workspaceId, definition)),
    ...(await entityTools(services, workspaceId, definition)),
    ...(await variableTools(services, workspaceId, definition)),
    ...discoveryTools(definition),
    ...builtInTools(definition),
    ...platformTools(definition),
    ...resultTools(definition),
    ...mcpTools(listed, definition),
    ...memoryTools(definition),
    ...planTools(definition),
    ...(await selfInstructionTools(services, workspaceId, taskId, definition)),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
