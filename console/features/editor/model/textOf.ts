import type { Json } from '../../../../domain/json.ts';

/** An input as a field for expressions shows it: a text as it stands, everything else as JSON; empty where none is given. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
