import type { InputConfig } from '../app/manifest.ts';
import type { FieldOption, FieldType, InputField } from '../field.ts';
import { checkFields } from '../fieldDeclaration.ts';
import { valueProblem } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { shortened } from '../openapi/shortened.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';

const MAX_LABEL = 200;
const MAX_HELP = 500;
const MAX_FIELDS = 200;
const MAX_OPTIONS = 1_000;

/** By the type of a property. Other types have no field. */
const TYPES: Readonly<Record<string, FieldType>> = {
  SHORT_TEXT: 'text',
  LONG_TEXT: 'longText',
  RICH_TEXT: 'longText',
  COLOR: 'text',
  NUMBER: 'number',
  CHECKBOX: 'boolean',
  DATE_TIME: 'date',
  JSON: 'json',
  OBJECT: 'json',
  ARRAY: 'json',
  STATIC_DROPDOWN: 'select',
  STATIC_MULTI_SELECT_DROPDOWN: 'multiSelect',
  DROPDOWN: 'select',
  MULTI_SELECT_DROPDOWN: 'multiSelect',
  DYNAMIC: 'json',
  // In connections only.
  SECRET_TEXT: 'secret',
};
const LOADED: readonly Json[] = ['DROPDOWN', 'MULTI_SELECT_DROPDOWN', 'DYNAMIC'];

export interface PieceFields {
  inputConfig: InputConfig;
  /** The properties that have no field. */
  leftOut: (ProblemDetail & { isRequired: boolean })[];
}

/** Makes fields of the properties of a piece. `path`: their place in the piece. */
export function pieceFields(properties: JsonObject, path: string): PieceFields {
  const leftOut: PieceFields['leftOut'] = [];
  const fields: InputField[] = [];
  let note = '';
  for (const [key, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const help = textIn(property, 'description', MAX_HELP) || note;
    note = property.type === 'MARKDOWN' ? help : '';
    if (property.type === 'MARKDOWN') continue;
    const made =
      fields.length < MAX_FIELDS ? fieldOf(key, property, help) : `an action has at most ${MAX_FIELDS} fields`;
    if (typeof made !== 'string') fields.push(made);
    else leftOut.push({ path: pathTo(path, key), message: made, isRequired: property.required === true });
  }
  const keys = new Set(fields.map(({ key }) => key));
  const objects = fields.flatMap(({ key }) => ((properties[key] as JsonObject).type === 'OBJECT' ? [key] : []));
  return {
    inputConfig: {
      fields: fields.map((field) => withDependencies(field, properties[field.key] as JsonObject, keys)),
      ...(objects.length === 0 ? {} : { objects }),
    },
    leftOut,
  };
}

/** Returns why there is no field otherwise. */
function fieldOf(key: string, property: JsonObject, help: string): InputField | string {
  const type = TYPES[String(property.type)];
  if (type === undefined) return `properties of type ${String(property.type)} are not supported`;
  const options = fixedOptions(property);
  const isChosen = type === 'select' || type === 'multiSelect';
  const field: InputField = {
    ...{ key, label: textIn(property, 'displayName', MAX_LABEL) || key, required: property.required === true },
    type: isChosen && options?.length === 0 ? 'json' : type,
    ...(help === '' ? {} : { help }),
    ...(isLoading(property) ? { options: { load: true as const } } : {}),
    ...(options === undefined || options.length === 0 ? {} : { options }),
  };
  const [problem] = checkFields([field], '', 'ofApp');
  if (problem !== undefined) return problem.message;
  const { defaultValue } = property;
  const hasDefault =
    defaultValue !== undefined && defaultValue !== null && valueProblem(field, defaultValue) === undefined;
  return hasDefault ? { ...field, default: defaultValue } : field;
}

function isLoading({ type, options }: JsonObject): boolean {
  return type !== undefined && LOADED.includes(type) && !Array.isArray(options);
}

function fixedOptions({ options }: JsonObject): FieldOption[] | undefined {
  if (!Array.isArray(options)) return undefined;
  const byValue = new Map<string, string>();
  for (const option of options.slice(0, MAX_OPTIONS)) {
    if (isJsonObject(option) && typeof option.value === 'string' && !byValue.has(option.value))
      byValue.set(option.value, textIn(option, 'label', MAX_LABEL) || option.value);
  }
  return [...byValue].map(([value, label]) => ({ value, label }));
}

function withDependencies(field: InputField, { refreshers }: JsonObject, keys: ReadonlySet<string>): InputField {
  if (field.options === undefined || Array.isArray(field.options) || !Array.isArray(refreshers)) return field;
  const dependsOn = [...new Set(refreshers)].filter(
    (key): key is string => typeof key === 'string' && key !== field.key && keys.has(key),
  );
  return dependsOn.length === 0 ? field : { ...field, options: { load: true, dependsOn } };
}

export function textIn(object: JsonObject, member: string, maxCharacters: number): string {
  const text = object[member];
  return typeof text === 'string' ? shortened(text, maxCharacters) : '';
}
