import type { JsonObject } from '../json.ts';
import { canonicalJson } from '../workflow/canonical.ts';

export const TOOL_POLICIES = ['auto', 'approve', 'deny'] as const;
/** auto: the call is made. approve: a person says yes or no first. deny: the model receives a refusal. */
export type ToolPolicy = (typeof TOOL_POLICIES)[number];

const MEMORY_SCOPES = ['user', 'agent'] as const;
/** user: of the person or API key whose task it is. agent: of all tasks of the agent. */
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

/** An action of the catalogue. */
export interface AgentTool {
  appId: string;
  actionId: string;
  /** Null: the app's default, or its only one. */
  connectionId: string | null;
  /** Fixed values of fields of its inputConfig; the model gives the others. */
  inputs: JsonObject;
  policy: ToolPolicy;
}

/** A server of the Model Context Protocol, over streamable HTTP. */
export interface McpServer {
  /** Begins the names of its tools. */
  name: string;
  url: string;
  /** A connection of the app `http` whose credential each request has. */
  connectionId: string | null;
  policy: ToolPolicy;
}

/** The settings that an upsert sets as a whole, with a default for each absent one. */
export interface AgentDefinition {
  instructions: string;
  /** The model's name at the provider. */
  selectedModelId: string;
  /** Null: the deployment's provider. */
  aiConnectionId: string | null;
  profileImageUrl: string | null;
  suggestedPrompts: string[];

  // The call of the model; null: the provider's own.
  temperature: number | null;
  maxOutputTokens: number | null;
  topP: number | null;
  frequencyPenalty: number | null;
  presencePenalty: number | null;
  seed: number | null;
  /** Retries after a temporary refusal of the provider. */
  maxRetries: number;

  // The turn.
  /** Model calls that may be followed by tool calls; 0: no tools. */
  maxToolRoundtrips: number;
  /** The newest messages that the model is shown; null: all. */
  messageLookbackLimit: number | null;
  /** Tokens of one request to the model: of a longer conversation it is shown less (contextBudget.ts). */
  contextTokens: number;
  taskNamingInstructions: string | null;
  enablePlanning: boolean;
  requirePlanApproval: boolean;
  longHorizonMode: boolean;
  /** Budgets of a turn in longHorizonMode, in place of maxToolRoundtrips. */
  longHorizonMaxSteps: number;
  longHorizonMaxTokensPerRun: number;

  // Tools.
  tools: AgentTool[];
  /** At most one for each app: its tools use it if they name none. */
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
  /** By the name of a tool, before the policy that the tool has of its own. */
  enabledToolPolicies: Record<string, ToolPolicy>;
  /** Names of tools that a turn calls first, in this order. */
  forcedTools: string[];
  dynamicActionDiscoveryEnabled: boolean;
  dynamicMcpDiscoveryEnabled: boolean;
  dynamicSelfInstructionsEnabled: boolean;
  enableToolResultOffload: boolean;
  /** Results of more bytes, as JSON, are kept apart; the model is shown where. */
  toolResultOffloadThresholdBytes: number;

  // Memory.
  memoryEnabled: boolean;
  memoryScope: MemoryScope;
  /** Null: for ever. */
  memoryRetentionDays: number | null;
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
};

type GivenTool = Pick<AgentTool, 'appId' | 'actionId'> & Partial<AgentTool>;
type GivenServer = Pick<McpServer, 'name' | 'url'> & Partial<McpServer>;

/** The settings as an upsert has them: bounds are the contract's (openapi/agents.yaml), undefined is the default. */
export type GivenSettings = Partial<Omit<AgentDefinition, 'selectedModelId' | 'tools' | 'mcpServers'>> & {
  instructions: string;
  model: string;
  tools?: GivenTool[];
  mcpServers?: GivenServer[];
};

/** In normal form: equal settings are equal values, however the body says them. */
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
    tools: tools.map(({ appId, actionId, connectionId, inputs = {}, policy = 'auto' }) => ({
      appId,
      actionId,
      connectionId: connectionId?.toLowerCase() ?? null,
      inputs,
      policy,
    })),
    mcpServers: mcpServers.map(({ name, url, connectionId, policy = 'auto' }) => ({
      name,
      url,
      connectionId: connectionId?.toLowerCase() ?? null,
      policy,
    })),
  };
}

/** The text whose hash shows whether a definition has changed. */
export function definitionText(definition: AgentDefinition): string {
  return canonicalJson(definition);
}

/** Lists whose order says nothing. */
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
