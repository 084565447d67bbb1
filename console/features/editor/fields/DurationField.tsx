import { useState } from 'react';
import { durationOf, durationWritten } from '../../../../domain/durationWords.ts';
import type { Json } from '../../../../domain/json.ts';
import { ALWAYS, ExpressionField } from '../expression/ExpressionField.tsx';
import { textOf } from '../model/textOf.ts';
import { EDITOR } from '../words/editor.ts';

const words = EDITOR.input;

interface DurationFieldProps {
  label: string;
  required: boolean;
  help: string | undefined;
  error: string | undefined;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** Takes a duration such as `5 min`, or an expression. The definition contains milliseconds. */
export function DurationField({ value, onChange, help, error, ...common }: DurationFieldProps) {
  const shown = typeof value === 'number' ? durationWritten(value) : textOf(value);
  const [written, setWritten] = useState(shown);
  const isNone = typeof value === 'string' && !value.includes('{{');
  return (
    <ExpressionField
      {...common}
      isOneValue={ALWAYS}
      help={help === undefined ? words.durationHelp : `${help.replace(/\.?$/, '.')} ${words.durationHelp}`}
      error={isNone ? words.noDuration : error}
      // Keeps the typed text until another value arrives from outside.
      value={readDuration(written) === value ? written : shown}
      previewed={value}
      onChange={(text) => {
        setWritten(text);
        onChange(readDuration(text));
      }}
    />
  );
}

/** Returns milliseconds for a duration; otherwise the text, which is an expression or incomplete. */
function readDuration(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  return durationOf(text) ?? text;
}
