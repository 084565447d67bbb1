import { membersOf } from './fieldTypes.ts';
import { type Known, outputType } from './outputType.ts';
import { isRecord, type Members, objectType } from './typeText.ts';

/** Input, questions and output of a workflow, from its definition. */
export function workflowType(workflow: Record<string, unknown>): string {
  const trigger = isRecord(workflow.trigger) ? workflow.trigger : { type: 'manual' };
  const nodes = Array.isArray(workflow.nodes) ? workflow.nodes.filter(isRecord) : [];
  const asking = nodes.filter(({ id, type }) => type === 'input' && typeof id === 'string');
  const questions: Members = asking.map(({ id, inputs }) => ({
    key: String(id),
    isOptional: false,
    type: formType(isRecord(inputs) ? inputs.fields : undefined),
  }));
  return objectType([
    { key: 'input', isOptional: false, type: inputType(trigger) },
    { key: 'questions', isOptional: false, type: objectType(questions) },
    { key: 'output', isOptional: false, type: outputOf(workflow, trigger, asking) },
  ]);
}

/** Only a form says what a start gives: any body comes by a webhook. */
function inputType({ type, config }: Record<string, unknown>): string {
  if (type !== undefined && type !== 'manual') return 'unknown';
  return formType(isRecord(config) ? config.fields : undefined);
}

function formType(fields: unknown): string {
  const members = membersOf(fields, 'given');
  return members === undefined || members.length === 0 ? 'Record<string, unknown>' : objectType(members);
}

function outputOf(
  { output }: Record<string, unknown>,
  { type, config }: Record<string, unknown>,
  asking: readonly Record<string, unknown>[],
): string {
  // Without a template it is what the last nodes give.
  if (output === undefined || output === null) return 'unknown';
  const known = new Map<string, string>();
  if ((type === undefined || type === 'manual') && isRecord(config)) learn(known, 'trigger', config.fields);
  for (const { id, inputs, parentId } of asking) {
    if (isRecord(inputs) && parentId === undefined) learn(known, `steps.${id}.output`, inputs.fields);
  }
  return outputType(output, known as Known);
}

function learn(known: Map<string, string>, path: string, fields: unknown): void {
  for (const { key, isOptional, type } of membersOf(fields, 'present') ?? []) {
    if (!isOptional) known.set(`${path}.${key}`, type);
  }
}
