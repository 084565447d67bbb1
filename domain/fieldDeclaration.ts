import { holdsExpression } from './expression/template.ts';
import { FIELD_TYPES, type Field, type InputField } from './field.ts';
import { kindOfJson, valueProblem } from './fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { pathTo } from './place.ts';
import type { ProblemDetail } from './problem.ts';

const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const MEMBERS = ['key', 'label', 'type', 'required', 'default', 'options', 'help'];
const MAX_FIELDS = 200;

/** `ofApp`: options may be loaded. */
type Declared = 'plain' | 'expressions' | 'ofApp';

/** If `expressions`, `{{ … }}` in texts is checked once its value is known. Keys and types must be constant. */
export function checkFields(fields: unknown, path: string, declared: Declared = 'plain'): ProblemDetail[] {
  const isOpen = (value: unknown): boolean => declared === 'expressions' && holdsExpression(value);
  if (!Array.isArray(fields)) return [{ path, message: `expected a list of fields, got ${kindOfJson(fields)}` }];
  if (fields.length > MAX_FIELDS)
    return [{ path, message: `${fields.length} fields, at most ${MAX_FIELDS} are allowed` }];
  const seen = new Map<string, number>();
  const keys = new Set(fields.map((field: unknown) => (isJsonObject(field) ? field.key : undefined)));
  return fields.flatMap((field: unknown, index) => {
    const place = pathTo(path, index);
    if (!isJsonObject(field)) return [{ path: place, message: `expected a field, got ${kindOfJson(field)}` }];
    const problems = fieldProblems(field, place, isOpen, declared === 'ofApp' ? keys : undefined);
    if (typeof field.key === 'string') {
      const first = seen.get(field.key);
      if (first === undefined) seen.set(field.key, index);
      else
        problems.push({
          path: pathTo(place, 'key'),
          message: `the key ${field.key} is already used at ${pathTo(path, first)}`,
        });
    }
    return problems;
  });
}

type IsOpen = (value: unknown) => boolean;

/** `keys`: those of all fields if options may be loaded. */
function fieldProblems(
  field: Record<string, Json>,
  path: string,
  isOpen: IsOpen,
  keys: ReadonlySet<unknown> | undefined,
): ProblemDetail[] {
  const problems: ProblemDetail[] = [];
  const expect = (holds: boolean, member: string, expected: string): void => {
    if (!holds) problems.push({ path: pathTo(path, member), message: `expected ${expected}` });
  };
  const { key, label, type, required, help } = field;
  expect(typeof key === 'string' && KEY.test(key), 'key', 'a letter or _, then up to 63 letters, digits, _ or -');
  expect(label == null || typeof label === 'string', 'label', 'text');
  expect(required == null || typeof required === 'boolean' || isOpen(required), 'required', 'true or false');
  expect(help == null || typeof help === 'string', 'help', 'text');
  const isType = (FIELD_TYPES as readonly unknown[]).includes(type);
  expect(isType, 'type', `one of ${FIELD_TYPES.join(', ')}`);
  for (const member of Object.keys(field)) {
    if (!MEMBERS.includes(member)) problems.push({ path: pathTo(path, member), message: 'unknown member of a field' });
  }
  const openOptions = isOpen(field.options);
  const place = pathTo(path, 'options');
  const isLoaded = keys !== undefined && isJsonObject(field.options);
  const options = openOptions
    ? []
    : isLoaded
      ? loadProblems(field.options as JsonObject, field, place, keys)
      : optionProblems(field, place);
  problems.push(...options);
  const { default: preset } = field;
  if (isType && options.length === 0 && !openOptions && !isOpen(preset) && preset !== undefined && preset !== null) {
    const wrong = valueProblem(field as unknown as InputField, preset);
    if (wrong !== undefined) problems.push({ path: pathTo(path, 'default'), message: wrong });
  }
  return problems;
}

function loadProblems(
  { load, dependsOn, ...others }: JsonObject,
  { key, type }: JsonObject,
  path: string,
  keys: ReadonlySet<unknown>,
): ProblemDetail[] {
  const problems = Object.keys(others).map((member) => ({
    path: pathTo(path, member),
    message: 'unknown member of loaded options',
  }));
  if (load !== true)
    problems.push({ path: pathTo(path, 'load'), message: 'expected true, or a list of {value, label}' });
  if (!LOADING_TYPES.includes(type))
    problems.push({ path, message: 'only text, select, multiSelect and json load options' });
  if (dependsOn === undefined) return problems;
  if (!Array.isArray(dependsOn)) {
    return [
      ...problems,
      { path: pathTo(path, 'dependsOn'), message: `expected a list of keys, got ${kindOfJson(dependsOn)}` },
    ];
  }
  for (const [index, other] of dependsOn.entries()) {
    if (other === key || !keys.has(other)) {
      problems.push({ path: pathTo(pathTo(path, 'dependsOn'), index), message: 'expected the key of another field' });
    }
  }
  return problems;
}

const LOADING_TYPES: readonly unknown[] = ['text', 'select', 'multiSelect', 'json'];

function optionProblems({ options, type }: Record<string, Json>, path: string): ProblemDetail[] {
  const chooses = type === 'select' || type === 'multiSelect';
  if (options === undefined || options === null) {
    return chooses ? [{ path, message: `required for ${type}: expected a list of {value, label}` }] : [];
  }
  if (!Array.isArray(options))
    return [{ path, message: `expected a list of {value, label}, got ${kindOfJson(options)}` }];
  if (chooses && options.length === 0) return [{ path, message: 'expected at least one option' }];
  const seen = new Set<string>();
  return options.flatMap((option, index) => {
    const place = pathTo(path, index);
    if (!isJsonObject(option) || typeof option.value !== 'string') {
      return [{ path: place, message: 'expected {value, label} with a text as value' }];
    }
    if (option.label != null && typeof option.label !== 'string') {
      return [{ path: pathTo(place, 'label'), message: 'expected text' }];
    }
    if (seen.has(option.value))
      return [{ path: pathTo(place, 'value'), message: `the value ${option.value} is already used by another option` }];
    seen.add(option.value);
    return [];
  });
}

/** The fields must have no problems. */
export function canonicalFields(fields: readonly JsonObject[]): Field[];
export function canonicalFields(fields: readonly JsonObject[], declared: 'ofApp'): InputField[];
export function canonicalFields(fields: readonly JsonObject[]): InputField[] {
  return fields.map((field) => {
    const given = Object.fromEntries(
      Object.entries(field).filter(([name, value]) => name === 'default' || value !== null),
    );
    const { options } = given;
    const filled = { ...given, label: given.label ?? (given.key as string), required: given.required ?? false };
    return (Array.isArray(options) ? { ...filled, options: options.map(canonicalOption) } : filled) as unknown as Field;
  });
}

function canonicalOption(option: Json): Json {
  return isJsonObject(option) ? { ...option, label: option.label ?? (option.value as string) } : option;
}
