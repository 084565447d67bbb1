import type { ReactNode } from 'react';
import type { Json } from '../../../../domain/json.ts';
import { readValue, useLooseJson } from '../../../ui/form/looseJson.ts';
import { ExpressionField, FieldAside } from '../expression/ExpressionField.tsx';
import { EDITOR } from '../words.ts';

interface JsonFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  required?: boolean;
  help?: string | undefined;
  error?: string | undefined;
  isBare?: boolean;
  /** Shown next to the input while the text is valid. */
  aside?: ReactNode;
}

/** Takes any value: JSON, a text or an expression. An incomplete text stays in the field until it is valid. */
export function JsonField({ value, onChange, error, aside, ...field }: JsonFieldProps) {
  const { text, read, write } = useLooseJson(value, undefined, onChange);
  const input = (
    <ExpressionField
      {...field}
      error={'problem' in read ? EDITOR.input.notJson : error}
      value={text}
      previewed={'problem' in read ? undefined : read.value}
      isOneValue={isBesideJson}
      isTall={text.includes('\n')}
      onChange={write}
    />
  );
  return <FieldAside aside={'problem' in read ? undefined : aside}>{input}</FieldAside>;
}

/** No text can stay around JSON, and a number or boolean has no inner position. */
function isBesideJson(text: string, at: number): boolean {
  const read = readValue(text);
  if ('problem' in read || read.value === undefined || typeof read.value === 'string') return false;
  const isInside = at > text.length - text.trimStart().length && at < text.trimEnd().length;
  return typeof read.value !== 'object' || read.value === null || !isInside;
}
