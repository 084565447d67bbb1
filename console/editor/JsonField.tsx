import { type ReactNode, useState } from 'react';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { Json } from '../../domain/json.ts';
import { EDITOR } from '../words/en/editor.ts';
import { ExpressionField } from './ExpressionField.tsx';
import { FieldAside } from './FieldAside.tsx';
import { readValue, valueText } from './looseJson.ts';

interface JsonFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  required?: boolean;
  help?: string | undefined;
  error?: string | undefined;
  /** Its label is heard, not seen. */
  isBare?: boolean;
  /** At its side while what is written can be read. */
  aside?: ReactNode;
}

/** Any value: JSON, a text, or an expression. What is half written stays in the field until it can be read. */
export function JsonField({ value, onChange, error, aside, ...field }: JsonFieldProps) {
  const [written, setWritten] = useState({ text: valueText(value), value });
  // Somebody else changed it: undo, or the code.
  if (!isEqualJson(written.value, value)) setWritten({ text: valueText(value), value });
  const read = readValue(written.text);
  const write = (text: string) => {
    const now = readValue(text);
    if ('problem' in now) return setWritten({ text, value: written.value });
    setWritten({ text, value: now.value });
    if (!isEqualJson(now.value, written.value)) onChange(now.value);
  };
  const text = (
    <ExpressionField
      {...field}
      error={'problem' in read ? EDITOR.input.notJson : error}
      value={written.text}
      previewed={'problem' in read ? undefined : read.value}
      isTall={written.text.includes('\n')}
      onChange={write}
    />
  );
  return <FieldAside aside={'problem' in read ? undefined : aside}>{text}</FieldAside>;
}
