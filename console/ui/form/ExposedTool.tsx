import { Switch, Textarea, TextInput } from '@mantine/core';
import { EXPOSED_TOOL } from '../words/exposedTool.ts';

const words = EXPOSED_TOOL;

export interface ToolForm {
  isTool: boolean;
  /** Empty: made from the slugs. */
  toolName: string;
  toolDescription: string;
}

interface ExposedToolProps {
  form: ToolForm;
  help: string;
  nameHelp: string;
  isDisabled?: boolean;
  error?: string | undefined;
  onChange: (change: Partial<ToolForm>) => void;
}

/** Whether a workflow or an agent is a tool of the MCP server, under which name, and for what. */
export function ExposedTool({ form, help, nameHelp, isDisabled = false, error, onChange }: ExposedToolProps) {
  return (
    <>
      <Switch
        label={words.isTool}
        description={help}
        checked={form.isTool}
        disabled={isDisabled}
        onChange={(event) => onChange({ isTool: event.currentTarget.checked })}
      />
      {form.isTool && (
        <>
          <TextInput
            label={words.name}
            description={nameHelp}
            maxLength={64}
            pattern="[A-Za-z0-9_\-]*"
            value={form.toolName}
            disabled={isDisabled}
            onChange={(event) => onChange({ toolName: event.currentTarget.value })}
          />
          <Textarea
            label={words.description}
            description={words.descriptionHelp}
            required
            autosize
            maxRows={8}
            maxLength={2_000}
            error={error}
            value={form.toolDescription}
            disabled={isDisabled}
            onChange={(event) => onChange({ toolDescription: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
