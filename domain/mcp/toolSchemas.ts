import { fieldsSchema } from '../agent/fieldSchema.ts';
import type { JsonObject } from '../json.ts';
import type { ValueSchema } from '../outputs/valueSchema.ts';
import type { TriggerNode } from '../workflow/definition.ts';

/** The arguments of a tool that starts a workflow. Triggers without declared fields take any members. */
export function inputSchemaOf(trigger: TriggerNode): JsonObject {
  const fields = trigger.type === 'manual' ? (trigger.config.fields ?? []) : [];
  return fields.length === 0 ? { type: 'object', properties: {} } : fieldsSchema(fields);
}

const ERROR: JsonObject = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    step: { type: 'object', properties: { nodeId: { type: 'string' }, label: { type: 'string' } } },
  },
};

/** The result of a call, ended or not: `output` once it is COMPLETED, `error` alone if nothing was started. */
export function resultSchema(output: ValueSchema | JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: {
      executionId: { type: 'string' },
      status: { type: 'string' },
      statusMessage: { type: 'string' },
      output: output as JsonObject,
      pendingInput: { type: 'array', items: { type: 'object' } },
      error: ERROR,
    },
  };
}
