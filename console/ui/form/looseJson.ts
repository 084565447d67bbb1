import { useState } from 'react';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import type { Json } from '../../../domain/json.ts';

type ReadValue = { value: Json | undefined } | { problem: true };

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

/** Keeps incomplete text in a field for any value, without changing the value. `empty`: value of an empty text. */
export function useLooseJson<Empty extends Json | undefined>(
  value: Json | Empty,
  empty: Empty,
  onChange: (value: Json | Empty) => void,
) {
  const textOf = (shown: Json | Empty) => valueText(shown === empty ? undefined : shown);
  const [written, setWritten] = useState({ text: textOf(value), value });
  // Changed elsewhere: by undo, in the code, or because a row was moved or removed.
  if (!isEqualJson(written.value, value)) setWritten({ text: textOf(value), value });
  const { text } = written;
  const write = (next: string) => {
    const now = readValue(next);
    if ('problem' in now) return setWritten({ text: next, value: written.value });
    const given = now.value === undefined ? empty : now.value;
    setWritten({ text: next, value: given });
    if (!isEqualJson(given, written.value)) onChange(given);
  };
  return { text, read: readValue(text), write };
}
