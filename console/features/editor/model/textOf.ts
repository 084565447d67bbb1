import type { Json } from '../../../../domain/json.ts';

/** Formats an input for an expression field: texts unchanged, other values as JSON, no value as an empty text. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
