import { BUILT_IN_TOOLS, PLATFORM_TOOLS } from '../../../../domain/agent/toolNames.ts';
import type { ChoiceList } from '../../../app/api/choices.ts';
import type { AgentDraft } from './agentDraft.ts';

type Kind =
  | { kind: 'text' | 'longText' | 'lines' | 'boolean' | 'tools' }
  /** `step` for fractions. An empty input is null if the setting has no value of its own. */
  | { kind: 'number'; min: number; max: number; step?: number; mayBeEmpty?: true }
  | { kind: 'one'; options: readonly string[] }
  | { kind: 'several'; options: readonly string[] }
  | { kind: 'named'; list: ChoiceList; filterBy?: string }
  | { kind: 'severalNamed'; list: ChoiceList };

export type Setting = Kind & { name: keyof AgentDraft; isRequired?: true; mayBeNull?: true };

export type SectionName = 'general' | 'model' | 'tools' | 'turn' | 'memory';

/** The settings that the forms show; all others are set in the code view. */
export const SETTING_SECTIONS: Readonly<Record<SectionName, readonly Setting[]>> = {
  general: [
    { name: 'name', kind: 'text', isRequired: true },
    { name: 'description', kind: 'longText', mayBeNull: true },
    { name: 'instructions', kind: 'longText', isRequired: true },
    { name: 'suggestedPrompts', kind: 'lines' },
  ],
  model: [
    { name: 'model', kind: 'text', isRequired: true },
    { name: 'aiConnectionId', kind: 'named', list: 'listConnections', filterBy: 'workflowAppId:openai' },
    { name: 'contextTokens', kind: 'number', min: 1_000, max: 10_000_000 },
    { name: 'maxOutputTokens', kind: 'number', min: 1, max: 1_000_000, mayBeEmpty: true },
    { name: 'temperature', kind: 'number', min: 0, max: 2, step: 0.1, mayBeEmpty: true },
    { name: 'topP', kind: 'number', min: 0, max: 1, step: 0.05, mayBeEmpty: true },
    { name: 'frequencyPenalty', kind: 'number', min: -2, max: 2, step: 0.1, mayBeEmpty: true },
    { name: 'presencePenalty', kind: 'number', min: -2, max: 2, step: 0.1, mayBeEmpty: true },
    { name: 'seed', kind: 'number', min: -2_147_483_648, max: 2_147_483_647, mayBeEmpty: true },
    { name: 'maxRetries', kind: 'number', min: 0, max: 10 },
  ],
  tools: [
    { name: 'tools', kind: 'tools' },
    { name: 'workflowIds', kind: 'severalNamed', list: 'listWorkflows' },
    { name: 'knowledgeIds', kind: 'severalNamed', list: 'listKnowledge' },
    { name: 'subAgentIds', kind: 'severalNamed', list: 'listAgents' },
    { name: 'objectTypeIds', kind: 'severalNamed', list: 'listObjectTypes' },
    { name: 'variableIds', kind: 'severalNamed', list: 'listVariables' },
    { name: 'connectionIds', kind: 'severalNamed', list: 'listConnections' },
    { name: 'enabledBuiltInTools', kind: 'several', options: BUILT_IN_TOOLS },
    { name: 'enabledPlatformTools', kind: 'several', options: PLATFORM_TOOLS },
    { name: 'forcedTools', kind: 'lines' },
    { name: 'dynamicActionDiscoveryEnabled', kind: 'boolean' },
    { name: 'dynamicMcpDiscoveryEnabled', kind: 'boolean' },
  ],
  turn: [
    { name: 'maxToolRoundtrips', kind: 'number', min: 0, max: 100 },
    { name: 'messageLookbackLimit', kind: 'number', min: 1, max: 10_000, mayBeEmpty: true },
    { name: 'enablePlanning', kind: 'boolean' },
    { name: 'requirePlanApproval', kind: 'boolean' },
    { name: 'longHorizonMode', kind: 'boolean' },
    { name: 'longHorizonMaxSteps', kind: 'number', min: 1, max: 1_000 },
    { name: 'longHorizonMaxTokensPerRun', kind: 'number', min: 1_000, max: 100_000_000 },
    { name: 'enableToolResultOffload', kind: 'boolean' },
    { name: 'toolResultOffloadThresholdBytes', kind: 'number', min: 1_024, max: 10_485_760 },
    { name: 'taskNamingInstructions', kind: 'longText', mayBeNull: true },
  ],
  memory: [
    { name: 'memoryEnabled', kind: 'boolean' },
    { name: 'memoryScope', kind: 'one', options: ['user', 'agent'] },
    { name: 'memoryRetentionDays', kind: 'number', min: 1, max: 3_650, mayBeEmpty: true },
    { name: 'dynamicSelfInstructionsEnabled', kind: 'boolean' },
  ],
};

export const SECTION_NAMES = Object.keys(SETTING_SECTIONS) as SectionName[];
