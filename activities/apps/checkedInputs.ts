import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { type ActionCall, type ActionResult, type Executor, failed } from './executor.ts';

/** zod's own type would traverse the whole value, and inputs may have megabytes. */
export const anyJson = z.custom<Json>((value) => value !== undefined, 'expected a value');
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'expected an object');
export const jsonList = z.custom<Json[]>(Array.isArray, 'expected a list');

/**
 * Checks inputs more precisely than the manifest's fields: INVALID_INPUT with places. For an optional field, null
 * counts as absent (expressions give it), and so does an empty text if the field takes no text (forms send it).
 */
export function withInputs<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (inputs: z.output<z.ZodObject<Shape>>, call: ActionCall) => ActionResult | Promise<ActionResult>,
): Executor {
  const schema = z.object(shape);
  const accepts = (value: Json | undefined) => (field: z.core.$ZodType) => z.safeParse(field, value).success;
  const optional = Object.entries(shape).filter(([, field]) => accepts(undefined)(field));
  const nullable = new Set(optional.map(([key]) => key));
  const textless = new Set(optional.filter(([, field]) => !accepts('')(field)).map(([key]) => key));
  const absent = (key: string, value: Json) =>
    (value === null && nullable.has(key)) || (value === '' && textless.has(key));
  return (call) => {
    const present = Object.entries(call.inputs).filter(([key, value]) => !absent(key, value));
    const parsed = schema.safeParse(Object.fromEntries(present));
    if (parsed.success) return run(parsed.data, call);
    return failed('INVALID_INPUT', parsed.error.issues.slice(0, 5).map(issueText).join('; '));
  };
}

function issueText(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')}: ${expectation(issue)}`;
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `expected one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit(issue.origin)}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.join(', ')}`;
    default:
      return issue.message;
  }
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
