import { type components, isProblem } from 'perdure-client';
import { WORDS } from '../words/words.ts';

type Field = components['schemas']['Field'];

export type Given = Record<string, unknown>;

/** Returns the initial values of a form. Secrets are never filled in, because reads return a mask. */
export function givenDefaults(fields: readonly Field[], initial: Readonly<Record<string, unknown>> = {}): Given {
  return Object.fromEntries(
    fields.map(({ key, type, default: preset }) => {
      const value = type !== 'secret' && Object.hasOwn(initial, key) ? initial[key] : preset;
      return [key, type === 'json' && value !== undefined && value !== null ? JSON.stringify(value, null, 2) : value];
    }),
  );
}

/** Converts the input values to the API's form, without empty ones. */
export function fieldValues(
  fields: readonly Field[],
  given: Given,
): { values: Record<string, unknown>; problems: Record<string, string> } {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const { key, type, required } of fields) {
    // An unticked box is false: expressions that read it would fail if it were missing.
    const value = type === 'boolean' && !required ? (given[key] ?? false) : given[key];
    if (isEmpty(value)) {
      if (required) problems[key] = WORDS.form.required;
      continue;
    }
    if (type === 'number') {
      const number = Number(value);
      if (Number.isFinite(number)) values[key] = number;
      else problems[key] = WORDS.form.number;
    } else if (type === 'json') {
      try {
        values[key] = JSON.parse(String(value));
      } catch {
        problems[key] = WORDS.form.json;
      }
    } else {
      values[key] = value;
    }
  }
  return { values, problems };
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Maps API errors to fields of the form: `inputData.order.lines[0]` within `inputData` belongs to `order`. */
export function problemsByField(error: unknown, within: string): Record<string, string> {
  const errors = (isProblem(error) && error.errors) || [];
  return Object.fromEntries(
    errors.map(({ path, message }) => [fieldOf(path.startsWith(within) ? path.slice(within.length) : path), message]),
  );
}

const fieldOf = (path: string): string => path.replace(/^\./, '').split(/[.[]/)[0] ?? '';
