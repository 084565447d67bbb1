import { isJsonObject } from '../../domain/json.ts';
import type { WorkflowOutputs } from '../../domain/outputs/workflowOutputs.ts';
import { membersOf } from './fieldTypes.ts';
import { schemaType } from './schemaType.ts';
import { type Members, objectType } from './typeText.ts';

export function workflowType(workflow: Record<string, unknown>, outputs: WorkflowOutputs | undefined): string {
  const trigger = isJsonObject(workflow.trigger) ? workflow.trigger : { type: 'manual' };
  const nodes = Array.isArray(workflow.nodes) ? workflow.nodes.filter(isJsonObject) : [];
  const asking = nodes.filter(({ id, type }) => type === 'input' && typeof id === 'string');
  const questions: Members = asking.map(({ id, inputs }) => ({
    key: String(id),
    isOptional: false,
    type: formType(isJsonObject(inputs) ? inputs.fields : undefined),
  }));
  return objectType([
    { key: 'input', isOptional: false, type: inputType(trigger) },
    { key: 'questions', isOptional: false, type: objectType(questions) },
    { key: 'output', isOptional: false, type: schemaType(outputs?.output) },
    { key: 'steps', isOptional: false, type: stepsType(outputs) },
  ]);
}

/** Only a form describes the input; a webhook accepts any body. */
function inputType({ type, config }: Record<string, unknown>): string {
  if (type !== undefined && type !== 'manual') return 'unknown';
  return formType(isJsonObject(config) ? config.fields : undefined);
}

function formType(fields: unknown): string {
  const members = membersOf(fields);
  return members === undefined || members.length === 0 ? 'Record<string, unknown>' : objectType(members);
}

function stepsType(outputs: WorkflowOutputs | undefined): string {
  if (outputs === undefined) return 'Record<string, unknown>';
  const members = [...outputs.steps].map(([key, { schema, always }]) => ({
    key,
    isOptional: !always,
    type: schemaType(schema),
  }));
  return objectType(members);
}
