import { type FieldType, fixedOptions, type InputField } from '../field.ts';
import type { Json, JsonObject } from '../json.ts';

/** Describes fields to a model as JSON Schema. The model's arguments are checked against the fields instead. */
export function fieldsSchema(fields: readonly InputField[]): JsonObject {
  const required = fields.filter((field) => field.required && field.default === undefined).map(({ key }) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const TYPES: Readonly<Record<FieldType, JsonObject>> = {
  text: { type: 'string' },
  longText: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  select: { type: 'string' },
  multiSelect: { type: 'array', items: { type: 'string' } },
  json: {},
  secret: { type: 'string' },
};

function fieldSchema({ type, label, help, options, default: byDefault }: InputField): Json {
  const values = fixedOptions(options).map(({ value }) => value);
  const schema: JsonObject = { ...TYPES[type], description: help === undefined ? label : `${label}. ${help}` };
  if (values.length > 0 && type === 'select') schema.enum = values;
  if (values.length > 0 && type === 'multiSelect') schema.items = { type: 'string', enum: values };
  if (byDefault !== undefined) schema.default = byDefault;
  return schema;
}
