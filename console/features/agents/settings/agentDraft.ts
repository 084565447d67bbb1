import type { Answer, Arguments } from 'perdure-client';
import { AGENT_DEFAULTS } from '../../../../domain/agent/definition.ts';

export type AgentWhole = Answer<'getAgent'>;
export type AgentDraft = Arguments<'upsertAgent'>['body'];
export type AgentTool = NonNullable<AgentDraft['tools']>[number];

/** Settings that have the same name in the answer and in the upsert. */
export const SAME = [
  'slug',
  'name',
  'description',
  'instructions',
  'profileImageUrl',
  'suggestedPrompts',
  'temperature',
  'topP',
  'maxOutputTokens',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'maxRetries',
  'maxToolRoundtrips',
  'messageLookbackLimit',
  'contextTokens',
  'taskNamingInstructions',
  'enablePlanning',
  'requirePlanApproval',
  'longHorizonMode',
  'longHorizonMaxSteps',
  'longHorizonMaxTokensPerRun',
  'tools',
  'mcpServers',
  'enabledToolPolicies',
  'forcedTools',
  'enabledBuiltInTools',
  'enabledPlatformTools',
  'dynamicActionDiscoveryEnabled',
  'dynamicMcpDiscoveryEnabled',
  'dynamicSelfInstructionsEnabled',
  'enableToolResultOffload',
  'toolResultOffloadThresholdBytes',
  'memoryEnabled',
  'memoryScope',
  'memoryRetentionDays',
  'exposeAsTool',
  'webAccess',
  'phoneAccess',
  'a2aAgents',
] as const satisfies readonly (keyof AgentWhole & keyof AgentDraft)[];

/** Settings that are read as `[{id, name}]` and written as ids. */
export const NAMED = {
  connectionIds: 'connections',
  workflowIds: 'workflows',
  subAgentIds: 'subAgents',
  knowledgeIds: 'knowledge',
  objectIds: 'objects',
  objectTypeIds: 'objectTypes',
  variableIds: 'variables',
} as const satisfies Partial<Record<keyof AgentDraft, keyof AgentWhole>>;

/** Returns the upsert that stores the agent unchanged, without values that equal their defaults. */
export function draftOf(agent: AgentWhole): AgentDraft {
  const same = SAME.map((name) => [name, agent[name]] as const);
  const named = Object.entries(NAMED).map(
    ([name, from]) => [name, (agent[from as (typeof NAMED)[keyof typeof NAMED]] ?? []).map(({ id }) => id)] as const,
  );
  const { selectedModelId: model = '', FK_aiConnectionId: aiConnectionId } = agent;
  const all = { ...Object.fromEntries([...same, ...named]), model, aiConnectionId } as unknown as AgentDraft;
  const isDefault = ([name, value]: [string, unknown]) =>
    value === undefined ||
    (Object.hasOwn(AGENT_DEFAULTS, name) &&
      JSON.stringify(value) === JSON.stringify(AGENT_DEFAULTS[name as keyof typeof AGENT_DEFAULTS]));
  return Object.fromEntries(Object.entries(all).filter((entry) => !isDefault(entry))) as unknown as AgentDraft;
}

export function settingOf(draft: AgentDraft, name: keyof AgentDraft): unknown {
  if (draft[name] !== undefined) return draft[name];
  return Object.hasOwn(AGENT_DEFAULTS, name) ? AGENT_DEFAULTS[name as keyof typeof AGENT_DEFAULTS] : undefined;
}
