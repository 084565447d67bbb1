import type { Json } from '../../../../domain/json.ts';

export type ReadValue = { value: Json | undefined } | { problem: true };

/** A value as it is written in a field for any JSON: texts without quotation marks where they cannot be taken for anything else. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && value !== '') {
    const read = readValue(value);
    if ('value' in read && read.value === value) return value;
  }
  return JSON.stringify(value, null, 2);
}

/** What a text of such a field says. Empty: nothing. Whatever looks like JSON must be JSON. */
export function readValue(text: string): ReadValue {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  try {
    return { value: JSON.parse(trimmed) as Json };
  } catch {
    if (trimmed.startsWith('{{')) return { value: text };
    return /^[[{"]/.test(trimmed) ? { problem: true } : { value: text };
  }
}
