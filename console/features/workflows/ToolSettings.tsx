import { Switch, Textarea, TextInput } from '@mantine/core';
import { WORKFLOWS } from './words.ts';
import type { SettingsForm } from './workflowSettings.ts';

const words = WORKFLOWS.settings;

interface ToolSettingsProps {
  form: SettingsForm;
  isDisabled: boolean;
  onChange: (change: Partial<SettingsForm>) => void;
}

/** The workflow as a tool of the MCP server. */
export function ToolSettings({ form, isDisabled: disabled, onChange }: ToolSettingsProps) {
  return (
    <>
      <Switch
        label={words.isTool}
        description={words.isToolHelp}
        checked={form.isTool}
        disabled={disabled}
        onChange={(event) => onChange({ isTool: event.currentTarget.checked })}
      />
      {form.isTool && (
        <>
          <TextInput
            label={words.toolName}
            description={words.toolNameHelp}
            maxLength={64}
            pattern="[A-Za-z0-9_\-]*"
            value={form.toolName}
            disabled={disabled}
            onChange={(event) => onChange({ toolName: event.currentTarget.value })}
          />
          <Textarea
            label={words.toolDescription}
            description={words.toolDescriptionHelp}
            required
            autosize
            maxRows={8}
            maxLength={2_000}
            value={form.toolDescription}
            disabled={disabled}
            onChange={(event) => onChange({ toolDescription: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
