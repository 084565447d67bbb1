import { ExposedTool, type ToolForm } from '../../../ui/form/ExposedTool.tsx';
import type { AgentDraft } from './agentDraft.ts';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS.asTool;

interface AgentAsToolProps {
  value: AgentDraft['exposeAsTool'];
  error: string | undefined;
  onChange: (value: AgentDraft['exposeAsTool']) => void;
}

export function AgentAsTool({ value, error, onChange }: AgentAsToolProps) {
  const form: ToolForm = {
    isTool: value != null,
    toolName: value?.name ?? '',
    toolDescription: value?.description ?? '',
  };
  const change = (part: Partial<ToolForm>) => {
    const { isTool, toolName, toolDescription } = { ...form, ...part };
    onChange(isTool ? { ...(toolName === '' ? {} : { name: toolName }), description: toolDescription } : null);
  };
  return <ExposedTool {...words} form={form} error={error} onChange={change} />;
}
