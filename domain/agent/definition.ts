import type { JsonObject } from '../json.ts';
import type { ExposeAsTool } from '../mcp/exposeAsTool.ts';
import { canonicalJson } from '../workflow/canonical.ts';

export const TOOL_POLICIES = ['auto', 'approve', 'deny'] as const;
/** auto: the call runs. approve: a person decides first. deny: the model receives an error. */
export type ToolPolicy = (typeof TOOL_POLICIES)[number];

const MEMORY_SCOPES = ['user', 'agent'] as const;
/** user: shared by the tasks of one user or API key. agent: shared by all tasks of the agent. */
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

export interface AgentTool {
  appId: string;
  actionId: string;
  /** Null: the app's default connection, or its only one. */
  connectionId: string | null;
  /** Fixed values for fields of its inputConfig; the model provides the others. */
  inputs: JsonObject;
  /** Default: a person approves destructive actions, and others are called. */
  policy?: ToolPolicy;
}

export interface McpServer {
  /** Prefix of its tools' names. */
  name: string;
  url: string;
  /** A connection of the app `http`. Its credential is sent with each request. */
  connectionId: string | null;
  policy: ToolPolicy;
}

/** The settings, which an upsert replaces as a whole; absent ones get defaults. */
export interface AgentDefinition {
  instructions: string;
  selectedModelId: string;
  /** Null: the deployment's provider. */
  aiConnectionId: string | null;
  profileImageUrl: string | null;
  suggestedPrompts: string[];

  // Model calls. Null: the provider's default.
  temperature: number | null;
  maxOutputTokens: number | null;
  topP: number | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
  seed: number | null;
  maxRetries: number;

  /** Model calls whose tool calls are executed; 0: no tools. */
  maxToolRoundtrips: number;
  /** The number of newest messages that the model receives; null: all. */
  messageLookbackLimit: number | null;
  /** Tokens of one model request. Longer conversations are shortened (contextBudget.ts). */
  contextTokens: number;
  taskNamingInstructions: string | null;
  enablePlanning: boolean;
  requirePlanApproval: boolean;
  longHorizonMode: boolean;
  /** Budgets of a turn in longHorizonMode, which replace maxToolRoundtrips. */
  longHorizonMaxSteps: number;
  longHorizonMaxTokensPerRun: number;

  tools: AgentTool[];
  /** At most one per app, for tools that name none. */
  connectionIds: string[];
  workflowIds: string[];
  subAgentIds: string[];
  knowledgeIds: string[];
  objectIds: string[];
  objectTypeIds: string[];
  variableIds: string[];
  mcpServers: McpServer[];
  a2aAgents: JsonObject[];
  webAccess: boolean;
  phoneAccess: boolean;
  enabledBuiltInTools: string[];
  enabledPlatformTools: string[];
  /** By tool name; overrides the tool's own policy. */
  enabledToolPolicies: Record<string, ToolPolicy>;
  forcedTools: string[];
  dynamicActionDiscoveryEnabled: boolean;
  dynamicMcpDiscoveryEnabled: boolean;
  dynamicSelfInstructionsEnabled: boolean;
  enableToolResultOffload: boolean;
  /** Results larger than this as JSON are stored separately; the model receives a reference. */
  toolResultOffloadThresholdBytes: number;

  memoryEnabled: boolean;
  memoryScope: MemoryScope;
  /** Null: unlimited. */
  memoryRetentionDays: number | null;

  /** Null: no tool of the MCP server. */
  exposeAsTool: ExposeAsTool | null;
}

export const AGENT_DEFAULTS: Omit<AgentDefinition, 'instructions' | 'selectedModelId'> = {
  aiConnectionId: null,
  profileImageUrl: null,
  suggestedPrompts: [],
  temperature: null,
  maxOutputTokens: null,
  topP: null,
  frequencyPenalty: null,
  presencePenalty: null,
  seed: null,
  maxRetries: 2,
  maxToolRoundtrips: 10,
  messageLookbackLimit: null,
  contextTokens: 100_000,
  taskNamingInstructions: null,
  enablePlanning: false,
  requirePlanApproval: false,
  longHorizonMode: false,
  longHorizonMaxSteps: 100,
  longHorizonMaxTokensPerRun: 1_000_000,
  tools: [],
  connectionIds: [],
  workflowIds: [],
  subAgentIds: [],
  knowledgeIds: [],
  objectIds: [],
  objectTypeIds: [],
  variableIds: [],
  mcpServers: [],
  a2aAgents: [],
  webAccess: false,
  phoneAccess: false,
  enabledBuiltInTools: [],
  enabledPlatformTools: [],
  enabledToolPolicies: {},
  forcedTools: [],
  dynamicActionDiscoveryEnabled: false,
  dynamicMcpDiscoveryEnabled: false,
  dynamicSelfInstructionsEnabled: false,
  enableToolResultOffload: true,
  toolResultOffloadThresholdBytes: 65_536,
  memoryEnabled: false,
  memoryScope: 'user',
  memoryRetentionDays: null,
  exposeAsTool: null,
};

type GivenTool = Pick<AgentTool, 'appId' | 'actionId'> & Partial<AgentTool>;
type GivenServer = Pick<McpServer, 'name' | 'url'> & Partial<McpServer>;

/** The settings in an upsert. openapi/agents.yaml checks their limits; undefined means the default. */
export type GivenSettings = Partial<Omit<AgentDefinition, 'selectedModelId' | 'tools' | 'mcpServers'>> & {
  instructions: string;
  model: string;
  tools?: GivenTool[];
  mcpServers?: GivenServer[];
};

/** Normalizes settings, so that equal settings give equal values in any notation. */
export function agentDefinition({ model, tools = [], mcpServers = [], ...given }: GivenSettings): AgentDefinition {
  const named = Object.fromEntries(
    Object.keys(AGENT_DEFAULTS).flatMap((key) => {
      const value = given[key as keyof typeof given];
      return value === undefined ? [] : [[key, SETS.has(key) ? ordered(value as string[]) : value]];
    }),
  ) as Partial<AgentDefinition>;
  return {
    ...AGENT_DEFAULTS,
    ...named,
    instructions: given.instructions,
    selectedModelId: model,
    aiConnectionId: given.aiConnectionId?.toLowerCase() ?? null,
    tools: tools.map(({ appId, actionId, connectionId, inputs = {}, policy }) => ({
      appId,
      actionId,
      connectionId: connectionId?.toLowerCase() ?? null,
      inputs,
      ...(policy === undefined ? {} : { policy }),
    })),
    mcpServers: mcpServers.map(({ name, url, connectionId, policy = 'auto' }) => ({
      name,
      url,
      connectionId: connectionId?.toLowerCase() ?? null,
      policy,
    })),
  };
}

/** The text that is hashed to detect changes. */
export function definitionText(definition: AgentDefinition): string {
  return canonicalJson(definition);
}

/** Lists whose order has no meaning. */
const SETS: ReadonlySet<string> = new Set([
  'connectionIds',
  'workflowIds',
  'subAgentIds',
  'knowledgeIds',
  'objectIds',
  'objectTypeIds',
  'variableIds',
  'enabledBuiltInTools',
  'enabledPlatformTools',
]);

export function isSet(setting: string): boolean {
  return SETS.has(setting);
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

function ordered(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => (isId(value) ? value.toLowerCase() : value)))].sort();
}
