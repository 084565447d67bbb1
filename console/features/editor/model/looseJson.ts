import type { Json } from '../../../../domain/json.ts';

export type ReadValue = { value: Json | undefined } | { problem: true };

/** Formats a value for a field that takes any JSON. Unambiguous texts need no quotation marks. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && value !== '') {
    const read = readValue(value);
    if ('value' in read && read.value === value) return value;
  }
  return JSON.stringify(value, null, 2);
}

/** Parses such a text. An empty text is undefined. A text that looks like JSON must be valid JSON. */
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
