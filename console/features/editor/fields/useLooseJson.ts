import { useState } from 'react';
import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import type { Json } from '../../../../domain/json.ts';
import { readValue, valueText } from '../model/looseJson.ts';

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
