import type { UIMessage } from 'ai';
import type { AgentDefinition, AgentTool } from './definition.ts';

/** Providers accept `[A-Za-z0-9_-]{1,64}`. */
export const MAX_NAME_LENGTH = 64;

export const KNOWLEDGE_TOOL = 'search_knowledge';

export const FIND_ENTITIES = 'find_entities';
export const READ_ENTITY = 'read_entity';
export const READ_VARIABLES = 'read_variables';

export const RESULT_TOOL = 'read_tool_result';

/** The prefix of an MCP server's tools, whose names are unknown until the server lists them. */
export function mcpToolPrefix(server: string): string {
  return `mcp_${server}_`;
}

/** Tools of memoryEnabled. */
export const REMEMBER_TOOL = 'remember';
export const RECALL_TOOL = 'recall';
export const FORGET_TOOL = 'forget';

/** The tool of enablePlanning and requirePlanApproval. */
export const PLAN_TOOL = 'plan';

/** Tools of dynamicActionDiscoveryEnabled and dynamicMcpDiscoveryEnabled. */
export const FIND_ACTIONS = 'find_actions';
export const FIND_MCP_TOOLS = 'find_mcp_tools';

/** The tool of dynamicSelfInstructionsEnabled. */
export const SELF_INSTRUCTIONS_TOOL = 'update_own_instructions';

type SettingWithTools =
  | 'enableToolResultOffload'
  | 'memoryEnabled'
  | 'enablePlanning'
  | 'requirePlanApproval'
  | 'dynamicSelfInstructionsEnabled'
  | 'dynamicActionDiscoveryEnabled'
  | 'dynamicMcpDiscoveryEnabled';

export function toolsOfSettings({
  enableToolResultOffload = true,
  memoryEnabled,
  enablePlanning,
  requirePlanApproval,
  dynamicSelfInstructionsEnabled,
  dynamicActionDiscoveryEnabled,
  dynamicMcpDiscoveryEnabled,
}: Partial<Pick<AgentDefinition, SettingWithTools>>): string[] {
  return [
    ...(enableToolResultOffload ? [RESULT_TOOL] : []),
    ...(memoryEnabled ? [REMEMBER_TOOL, RECALL_TOOL, FORGET_TOOL] : []),
    ...(enablePlanning || requirePlanApproval ? [PLAN_TOOL] : []),
    ...(dynamicSelfInstructionsEnabled ? [SELF_INSTRUCTIONS_TOOL] : []),
    ...(dynamicActionDiscoveryEnabled ? [FIND_ACTIONS] : []),
    ...(dynamicMcpDiscoveryEnabled ? [FIND_MCP_TOOLS] : []),
  ];
}

export function actionToolName({ appId, actionId }: Pick<AgentTool, 'appId' | 'actionId'>): string {
  return asName(`${appId}_${actionId}`);
}

interface Slugged {
  id: string;
  slug: string;
}

export function workflowToolNames(workflows: readonly Slugged[]): Map<string, string> {
  return sluggedNames('workflow', workflows);
}

export function agentToolNames(agents: readonly Slugged[]): Map<string, string> {
  return sluggedNames('agent', agents);
}

/** If two projects have the same slug, the name for the higher id contains that id. */
function sluggedNames(kind: string, things: readonly Slugged[]): Map<string, string> {
  const taken = new Set<string>();
  const inOrder = [...things].sort((one, other) => (one.id < other.id ? -1 : 1));
  return new Map(
    inOrder.map(({ id, slug }) => {
      const wanted = asName(`${kind}_${slug}`);
      const name = taken.has(wanted) ? `${kind}_${id}` : wanted;
      taken.add(name);
      return [id, name];
    }),
  );
}

export function asName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH);
}

/** The values of enabledBuiltInTools: tools that need only the clock and arithmetic. */
export const BUILT_IN_TOOLS = ['current_time', 'calculate'] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** The values of enabledPlatformTools: tools that read the workspace and change nothing. */
export const PLATFORM_TOOLS = ['list_workflows', 'list_executions', 'read_execution', 'list_queues'] as const;
export type PlatformTool = (typeof PLATFORM_TOOLS)[number];

export function isBuiltIn(name: string): name is BuiltInTool {
  return BUILT_IN_TOOLS.some((each) => each === name);
}

export function isPlatform(name: string): name is PlatformTool {
  return PLATFORM_TOOLS.some((each) => each === name);
}

export function toolNameOf(part: { type: string; toolName?: unknown }): string | undefined {
  if (part.type === 'dynamic-tool') return typeof part.toolName === 'string' ? part.toolName : undefined;
  return part.type.startsWith('tool-') && 'toolCallId' in part ? part.type.slice('tool-'.length) : undefined;
}

/** Returns the first forced tool without a call in the message, successful or not. Undefined: the model decides. */
export function forcedTool(forcedTools: readonly string[], { parts }: Pick<UIMessage, 'parts'>): string | undefined {
  const called = new Set(parts.map(toolNameOf));
  return forcedTools.find((name) => !called.has(name));
}
