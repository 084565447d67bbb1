import type { Field, FieldType, InputField } from './field.ts';
import { expectation, unknownKey, valueProblem } from './fieldType.ts';
import type { Json, JsonObject } from './json.ts';
import { ownMember, setKey } from './ownMember.ts';
import { pathTo } from './place.ts';
import type { ProblemDetail } from './problem.ts';

export interface CheckedValues {
  /** The values, with defaults for absent fields. Values with a problem are unchanged. */
  values: JsonObject;
  problems: ProblemDetail[];
  /** Keys of required fields that are absent, null or an empty text. Each also has a problem. */
  missing: string[];
}

const TEXTS: ReadonlySet<FieldType> = new Set(['text', 'longText', 'secret', 'select', 'date']);

/** Checks values against their fields: defaults, types, required fields. Problem paths are field keys. */
export function checkFieldValues(
  fields: readonly InputField[],
  values: JsonObject,
  unknownKeys: 'keep' | 'reject',
): CheckedValues {
  const checked: CheckedValues = { values: {}, problems: [], missing: [] };
  const known = new Set(fields.map(({ key }) => key));
  for (const field of fields) checkField(field, ownMember(values, field.key), checked);
  for (const key of Object.keys(values)) {
    if (known.has(key)) continue;
    if (unknownKeys === 'keep') setKey(checked.values, key, values[key] as Json);
    else checked.problems.push({ path: pathTo('', key), message: unknownKey([...known]) });
  }
  return checked;
}

/** Checks an answer; unknown keys are rejected. Absent fields become null, so that expressions find every field. */
export function checkAnswer(fields: readonly Field[], values: JsonObject): CheckedValues {
  const checked = checkFieldValues(fields, values, 'reject');
  for (const { key } of fields) if (ownMember(checked.values, key) === undefined) setKey(checked.values, key, null);
  return checked;
}

function checkField(field: InputField, given: Json | undefined, checked: CheckedValues): void {
  const value = given === undefined ? field.default : given;
  const empty = value === undefined || value === null || (value === '' && TEXTS.has(field.type));
  if (value !== undefined) setKey(checked.values, field.key, value);
  if (empty && field.required) {
    checked.missing.push(field.key);
    checked.problems.push({ path: pathTo('', field.key), message: `required: expected ${expectation(field)}` });
    return;
  }
  // Forms send '' for an empty text, which is valid for an optional field.
  if (empty) return;
  const wrong = valueProblem(field, value);
  if (wrong !== undefined) checked.problems.push({ path: pathTo('', field.key), message: wrong });
}
