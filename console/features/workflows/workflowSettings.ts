import type { WorkflowWhole } from './queries/workflows.ts';

/** What stands in the form of the settings. */
export interface SettingsForm {
  isActive: boolean;
  name: string;
  description: string;
  /** Empty: no limit. */
  maxConcurrent: number | '';
  /** In units. */
  timeout: number | '';
  /** Milliseconds of the unit of `timeout`. */
  unitMs: number;
  /** An id; empty: none. */
  onFailureWorkflowId: string;
}

/** The settings as `updateWorkflow` takes them. */
export interface SettingsChange {
  isActive?: boolean;
  name?: string;
  description?: string | null;
  maxConcurrent?: number | null;
  timeoutMs?: number | null;
  onFailureWorkflowId?: string | null;
}

export const UNITS_MS = [1_000, 60_000, 3_600_000, 86_400_000];

/** The form of what is stored; a limit of time in the largest unit that holds it whole. */
export function settingsForm(workflow: WorkflowWhole): SettingsForm {
  const { isActive = true, name, description, maxConcurrent, timeoutMs, onFailureWorkflowId } = workflow;
  const unitMs = timeoutMs == null ? 60_000 : (UNITS_MS.findLast((unit) => timeoutMs % unit === 0) ?? 1_000);
  return {
    ...{ isActive, name, unitMs },
    description: description ?? '',
    maxConcurrent: maxConcurrent ?? '',
    timeout: timeoutMs == null ? '' : timeoutMs / unitMs,
    onFailureWorkflowId: onFailureWorkflowId ?? '',
  };
}

/** What a person has changed; an empty object where nothing. */
export function settingsChange(before: SettingsForm, form: SettingsForm): SettingsChange {
  const [was, is] = [before, form].map(stored) as [Required<SettingsChange>, Required<SettingsChange>];
  const keys = Object.keys(is) as (keyof SettingsChange)[];
  return Object.fromEntries(keys.filter((key) => was[key] !== is[key]).map((key) => [key, is[key]]));
}

function stored(form: SettingsForm): Required<SettingsChange> {
  const { isActive, name, description, maxConcurrent, timeout, unitMs, onFailureWorkflowId } = form;
  return {
    isActive,
    name: name.trim(),
    description: description.trim() === '' ? null : description,
    maxConcurrent: maxConcurrent === '' ? null : maxConcurrent,
    timeoutMs: timeout === '' ? null : Math.round(timeout * unitMs),
    onFailureWorkflowId: onFailureWorkflowId === '' ? null : onFailureWorkflowId,
  };
}
