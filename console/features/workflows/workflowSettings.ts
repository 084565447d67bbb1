import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { ExposeAsTool } from '../../../domain/mcp/exposeAsTool.ts';
import type { ToolForm } from '../../ui/form/ExposedTool.tsx';
import type { WorkflowWhole } from './queries/workflows.ts';

export interface SettingsForm extends ToolForm {
  isActive: boolean;
  name: string;
  description: string;
  /** Empty: no limit. */
  maxConcurrent: number | '';
  /** In the unit of `unitMs`. */
  timeout: number | '';
  /** The length of that unit in milliseconds. */
  unitMs: number;
  onFailureWorkflowId: string;
}

export interface SettingsChange {
  isActive?: boolean;
  name?: string;
  description?: string | null;
  maxConcurrent?: number | null;
  timeoutMs?: number | null;
  onFailureWorkflowId?: string | null;
  exposeAsTool?: ExposeAsTool | null;
}

export const UNITS_MS = [1_000, 60_000, 3_600_000, 86_400_000];

/** Converts the stored settings to the form. The timeout uses the largest unit that divides it. */
export function settingsForm(workflow: WorkflowWhole): SettingsForm {
  const { isActive = true, name, description, maxConcurrent, timeoutMs, onFailureWorkflowId, exposeAsTool } = workflow;
  const unitMs = timeoutMs == null ? 60_000 : (UNITS_MS.findLast((unit) => timeoutMs % unit === 0) ?? 1_000);
  return {
    ...{ isActive, name, unitMs },
    description: description ?? '',
    maxConcurrent: maxConcurrent ?? '',
    timeout: timeoutMs == null ? '' : timeoutMs / unitMs,
    onFailureWorkflowId: onFailureWorkflowId ?? '',
    isTool: exposeAsTool != null,
    toolName: exposeAsTool?.name ?? '',
    toolDescription: exposeAsTool?.description ?? '',
  };
}

export function settingsChange(before: SettingsForm, form: SettingsForm): SettingsChange {
  const [was, is] = [before, form].map(stored) as [Required<SettingsChange>, Required<SettingsChange>];
  const keys = Object.keys(is) as (keyof SettingsChange)[];
  return Object.fromEntries(keys.filter((key) => !isEqualJson(was[key], is[key])).map((key) => [key, is[key]]));
}

function stored(form: SettingsForm): Required<SettingsChange> {
  const { isActive, name, description, maxConcurrent, timeout, unitMs, onFailureWorkflowId } = form;
  const [toolName, toolDescription] = [form.toolName.trim(), form.toolDescription.trim()];
  return {
    isActive,
    name: name.trim(),
    description: description.trim() === '' ? null : description,
    maxConcurrent: maxConcurrent === '' ? null : maxConcurrent,
    timeoutMs: timeout === '' ? null : Math.round(timeout * unitMs),
    onFailureWorkflowId: onFailureWorkflowId === '' ? null : onFailureWorkflowId,
    exposeAsTool: form.isTool ? { ...(toolName === '' ? {} : { name: toolName }), description: toolDescription } : null,
  };
}
