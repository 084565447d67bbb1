import { MultiSelect, NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CHOICES, choices } from '../../../app/api/choices.ts';
import { useMay } from '../../../app/api/me.ts';
import type { AgentTool } from './agentDraft.ts';
import type { Setting } from './settingSections.ts';
import { ToolsEditor } from './ToolsEditor.tsx';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

interface SettingInputProps {
  setting: Setting;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

export function SettingInput({ setting, value, error, onChange }: SettingInputProps) {
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
