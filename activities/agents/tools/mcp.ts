import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { type ListedTool, MOST_MCP_TRIES } from '../../../domain/agent/mcpTool.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { readMcpTools } from '../../../prisma/store/turn/mcpTools.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

/** Tools of MCP servers, as the turn has listed them. What is wrong with arguments, the server says. */
export function mcpTools(
  listed: readonly ListedTool[],
  { mcpServers, enabledToolPolicies, dynamicMcpDiscoveryEnabled }: AgentDefinition,
): OfferedTool[] {
  const policies = new Map(mcpServers.map(({ name, policy }) => [name, policy]));
  return listed.flatMap(({ name, server, description, inputSchema }): OfferedTool[] => {
    const policy = policies.get(server);
    if (policy === undefined) return [];
    const own = Object.hasOwn(enabledToolPolicies, name) ? enabledToolPolicies[name] : undefined;
    const found = dynamicMcpDiscoveryEnabled ? ({ mustBeFound: true } as const) : {};
    return [{ name, description, inputSchema, kind: 'mcp', policy: own ?? policy, problems: () => [], ...found }];
  });
}

/** The call is an activity of its own, made again only where the server says that this does no harm. */
export async function acceptMcp({ database }: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const tool = (await readMcpTools(database, call.workspaceId, call.runId))?.find(({ name }) => name === call.name);
  if (!tool || !call.definition.mcpServers.some(({ name }) => name === tool.server)) {
    return { kind: 'refused', error: 'The agent has this tool no more' };
  }
  return { kind: 'activity', tries: tool.isRepeatable ? MOST_MCP_TRIES : 1 };
}
