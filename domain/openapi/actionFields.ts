import type { InputConfig } from '../app/manifest.ts';
import type { Field, FieldType } from '../field.ts';
import { valueProblem } from '../fieldType.ts';
import type { OperationPlan, PlannedField } from './operationPlan.ts';
import type { References } from './references.ts';
import { type SchemaShape, shapeOf } from './schemaShape.ts';
import { shortened } from './shortened.ts';

const MAX_HELP = 240;
const MAX_CHOICES = 500;
const MAX_NAMED_MEMBERS = 12;

export function inputConfigOf({ fields, body }: OperationPlan, references: References): InputConfig {
  const objects = fields.filter(({ shape, isRequired }) => takesOnlyObjects(shape, isRequired)).map(({ key }) => key);
  const made = fields.map((field) => fieldOf(field, references, body?.kind === 'text' && body.isWhole));
  return { fields: made, ...(objects.length === 0 ? {} : { objects }) };
}

/** A form shows rows for an object. A value that may be null, or is a list of them, stays JSON. */
function takesOnlyObjects({ type, isOpen, isNullable }: SchemaShape, isRequired: boolean): boolean {
  return type === 'object' && !isOpen && !(isNullable && isRequired);
}

function fieldOf(planned: PlannedField, references: References, isText: boolean): Field {
  const { key, name, isRequired, shape } = planned;
  const options = optionsOf(planned, references);
  const type = isText && planned.in === 'body' ? 'longText' : typeOf(shape, options !== undefined);
  const help = helpOf(shape, type);
  const field: Field = {
    ...{ key, label: name, type, required: isRequired },
    ...(options ? { options: options.map((value) => ({ value, label: value })) } : {}),
    ...(help === '' ? {} : { help }),
  };
  const { preset } = shape;
  if (preset === undefined || type === 'json' || valueProblem(field, preset) !== undefined) return field;
  return { ...field, default: preset };
}

function typeOf({ type, format, items, isNullable, isWriteOnly }: SchemaShape, hasOptions: boolean): FieldType {
  switch (type) {
    case 'string':
      if (hasOptions) return 'select';
      if (format === 'password' || (isWriteOnly && format === undefined)) return 'secret';
      return format === 'date' || format === 'date-time' ? 'date' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return hasOptions && items && !isNullable ? 'multiSelect' : 'json';
    default:
      return 'json';
  }
}

/** The choices of a text, or of the texts in a list. */
function optionsOf({ shape }: PlannedField, references: References): string[] | undefined {
  const list = shape.type === 'array' && shape.items ? shapeOf(references, shape.items) : shape;
  if (list.type !== 'string' || list.isOpen || list.choices === undefined) return undefined;
  const texts = [...new Set(list.choices.filter((one) => typeof one === 'string'))];
  return texts.length === 0 || texts.length > MAX_CHOICES ? undefined : texts;
}

function helpOf(shape: SchemaShape, type: FieldType): string {
  const said = shortened(shape.description ?? '', MAX_HELP);
  const kind = kindOf(shape, type);
  return [said, kind].filter((part) => part !== '').join(' ');
}

function kindOf({ type, choices, properties, isOpen }: SchemaShape, fieldType: FieldType): string {
  if (fieldType === 'number' && choices !== undefined)
    return `One of ${choices.slice(0, MAX_NAMED_MEMBERS).join(', ')}.`;
  if (fieldType !== 'json') return '';
  if (type === 'array') return 'A list.';
  if (type !== 'object' || isOpen || properties.size === 0) return '';
  const names = [...properties.keys()];
  const more = names.length > MAX_NAMED_MEMBERS ? ', …' : '';
  return `An object of ${names.slice(0, MAX_NAMED_MEMBERS).join(', ')}${more}.`;
}
