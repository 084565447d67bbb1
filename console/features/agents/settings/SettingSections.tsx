import { MultiSelect, NativeSelect, NumberInput, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { BUILT_IN_TOOLS, PLATFORM_TOOLS } from '../../../../domain/agent/toolNames.ts';
import { CHOICES, type ChoiceList, choices } from '../../../app/api/choices.ts';
import { useMay } from '../../../app/api/me.ts';
import { AgentAsTool } from './AgentAsTool.tsx';
import { type AgentDraft, type AgentTool, settingOf } from './agentDraft.ts';
import { ToolsEditor } from './ToolsEditor.tsx';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

interface SettingSectionsProps {
  draft: AgentDraft;
  isLocked: boolean;
  problems: Readonly<Record<string, string>>;
  onChange: (draft: AgentDraft) => void;
}

export function SettingSections({ draft, isLocked, problems, onChange }: SettingSectionsProps) {
  return (
    <Stack gap="xl">
      {SECTION_NAMES.map((section) => (
        <fieldset key={section} disabled={isLocked} className="agent-section">
          <legend className="aloud">{words.sections[section]}</legend>
          <Title order={2} size="h4" mb="sm" aria-hidden>
            {words.sections[section]}
          </Title>
          <Stack>
            {SETTING_SECTIONS[section].map((setting) => (
              <SettingInput
                key={setting.name}
                setting={setting}
                value={settingOf(draft, setting.name)}
                error={problems[setting.name]}
                onChange={(value) => onChange({ ...draft, [setting.name]: value })}
              />
            ))}
          </Stack>
        </fieldset>
      ))}
      <Text size="sm">{words.restInCode}</Text>
    </Stack>
  );
}

interface SettingInputProps {
  setting: Setting;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

function SettingInput({ setting, value, error, onChange }: SettingInputProps) {
  const { name, kind } = setting;
  const label = words.labels[name] ?? name;
  const description = words.help[name];
  const common = {
    label,
    error,
    required: setting.isRequired === true,
    ...(description === undefined ? {} : { description }),
  };
  const text = typeof value === 'string' ? value : '';
  const orNull = (given: string) => (given === '' && setting.mayBeNull === true ? null : given);
  switch (kind) {
    case 'text':
      return <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
    case 'longText':
      return (
        <Textarea
          {...common}
          autosize
          minRows={name === 'instructions' ? 6 : 2}
          maxRows={24}
          value={text}
          onChange={(event) => onChange(orNull(event.currentTarget.value))}
        />
      );
    case 'lines':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          value={linesOf(value).join('\n')}
          onChange={(event) => onChange(event.currentTarget.value.split('\n'))}
          onBlur={() => onChange(linesOf(value).filter((line) => line.trim() !== ''))}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          min={setting.min}
          max={setting.max}
          step={setting.step ?? 1}
          allowDecimal={setting.step !== undefined}
          thousandSeparator=","
          maw={280}
          value={typeof value === 'number' ? value : ''}
          onChange={(given) =>
            onChange(typeof given === 'number' ? given : setting.mayBeEmpty === true ? null : undefined)
          }
        />
      );
    case 'boolean':
      return (
        <Switch
          label={label}
          error={error}
          {...(description === undefined ? {} : { description })}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'one':
      return (
        <NativeSelect
          {...common}
          data={setting.options.map((option) => ({ value: option, label: words.options[option] ?? option }))}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'several':
      return (
        <MultiSelect
          {...common}
          data={setting.options.map((option) => ({ value: option, label: words.options[option] ?? option }))}
          value={linesOf(value)}
          onChange={onChange}
        />
      );
    case 'exposedTool':
      return <AgentAsTool value={value as AgentDraft['exposeAsTool']} error={error} onChange={onChange} />;
    case 'tools':
      return <ToolsEditor tools={Array.isArray(value) ? (value as AgentTool[]) : []} onChange={onChange} />;
    default:
      return <NamedInput setting={setting} value={value} common={common} onChange={onChange} />;
  }
}

const linesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface NamedInputProps {
  setting: Extract<Setting, { list: unknown }>;
  value: unknown;
  common: { label: string; error: string | undefined; required: boolean };
  onChange: (value: unknown) => void;
}

/** Hidden if the person may not read the list. */
function NamedInput({ setting, value, common, onChange }: NamedInputProps) {
  const may = useMay();
  const isSeen = may(CHOICES[setting.list]);
  const { data = [] } = useQuery({
    ...choices(setting.list, setting.kind === 'named' ? setting.filterBy : undefined),
    enabled: isSeen,
  });
  if (!isSeen) return null;
  const options = data.map(({ id, name }) => ({ value: id, label: name }));
  if (setting.kind === 'named') {
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: words.deployment }, ...options]}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      />
    );
  }
  return <MultiSelect {...common} searchable data={options} value={linesOf(value)} onChange={onChange} />;
}

type Kind =
  | { kind: 'text' | 'longText' | 'lines' | 'boolean' | 'tools' | 'exposedTool' }
  /** `step` for fractions. An empty input is null if the setting has no value of its own. */
  | { kind: 'number'; min: number; max: number; step?: number; mayBeEmpty?: true }
  | { kind: 'one'; options: readonly string[] }
  | { kind: 'several'; options: readonly string[] }
  | { kind: 'named'; list: ChoiceList; filterBy?: string }
  | { kind: 'severalNamed'; list: ChoiceList };

type Setting = Kind & { name: keyof AgentDraft; isRequired?: true; mayBeNull?: true };

type SectionName = 'general' | 'model' | 'tools' | 'turn' | 'memory';

/** The settings that the forms show; all others are set in the code view. */
const SETTING_SECTIONS: Readonly<Record<SectionName, readonly Setting[]>> = {
  general: [
    { name: 'name', kind: 'text', isRequired: true },
    { name: 'description', kind: 'longText', mayBeNull: true },
    { name: 'instructions', kind: 'longText', isRequired: true },
    { name: 'suggestedPrompts', kind: 'lines' },
    { name: 'exposeAsTool', kind: 'exposedTool' },
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

const SECTION_NAMES = Object.keys(SETTING_SECTIONS) as SectionName[];
