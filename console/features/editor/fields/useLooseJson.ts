import { useState } from 'react';
import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import type { Json } from '../../../../domain/json.ts';
import { readValue, valueText } from '../model/looseJson.ts';

/**
 * The text of a field for any value. What is half written stays in it, and changes nothing, until it can be read. `empty`:
 * what an empty text stands for.
 */
export function useLooseJson<Empty extends Json | undefined>(
  value: Json | Empty,
  empty: Empty,
  onChange: (value: Json | Empty) => void,
) {
  const textOf = (shown: Json | Empty) => valueText(shown === empty ? undefined : shown);
  const [written, setWritten] = useState({ text: textOf(value), value });
  // Somebody else changed it: undo, the code, or a row that was moved or removed.
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
