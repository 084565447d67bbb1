import { argumentProblems } from '../../../domain/agent/argumentProblems.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { type FoundTool, searchTools } from '../../../domain/agent/discovery.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { FIND_ACTIONS, FIND_MCP_TOOLS } from '../../../domain/agent/toolNames.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { readMcpTools } from '../../../prisma/store/turn/mcpTools.ts';
import type { ActivityServices } from '../../services.ts';
import { withApps } from '../../withApps.ts';
import { discoverableActions } from './action.ts';
import { mcpTools } from './mcp.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_QUERY_LENGTH = 500;
const MAX_FOUND = 10;

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      pattern: '\\S',
      maxLength: MAX_QUERY_LENGTH,
      description: 'Words that describe the action',
    },
  },
  required: ['query'],
  additionalProperties: false,
};

const DESCRIPTIONS = {
  [FIND_ACTIONS]:
    'Searches the catalogue for further actions. Those that are found can be called as tools from the next step on.',
  [FIND_MCP_TOOLS]:
    'Searches the tools of the connected servers. Those that are found can be called from the next step on.',
};

export function discoveryTools(definition: AgentDefinition): OfferedTool[] {
  const { dynamicActionDiscoveryEnabled, dynamicMcpDiscoveryEnabled, enabledToolPolicies } = definition;
  const tool = (name: keyof typeof DESCRIPTIONS): OfferedTool => ({
    name,
    description: DESCRIPTIONS[name],
    inputSchema: INPUT,
    kind: 'discovery',
    policy: enabledToolPolicies[name] ?? 'auto',
    problems: (input) => argumentProblems(INPUT, input),
  });
  return [
    ...(dynamicActionDiscoveryEnabled ? [tool(FIND_ACTIONS)] : []),
    ...(dynamicMcpDiscoveryEnabled ? [tool(FIND_MCP_TOOLS)] : []),
  ];
}

/** May be repeated, because it only reads. Later steps take the tools from its result in the message. */
export async function acceptDiscovery(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const known = await searched(services, call);
  if (!known) return { kind: 'refused', error: 'The agent no longer has this tool' };
  const tools = searchTools(String(call.input.query), known, MAX_FOUND);
  const found = tools.map(({ name, description }): JsonObject => ({ name, description }));
  if (found.length > 0) return { kind: 'done', output: { tools: found } };
  return { kind: 'done', output: { tools: [], note: 'Nothing has one of these words: search with others' } };
}

async function searched(services: ActivityServices, call: ToolToRun): Promise<FoundTool[] | undefined> {
  const { workspaceId, runId, name, definition } = call;
  if (name === FIND_ACTIONS && definition.dynamicActionDiscoveryEnabled) {
    return discoverableActions(await withApps(services, workspaceId), workspaceId, definition);
  }
  if (name === FIND_MCP_TOOLS && definition.dynamicMcpDiscoveryEnabled) {
    return mcpTools((await readMcpTools(services.database, workspaceId, runId)) ?? [], definition);
  }
  return undefined;
}
