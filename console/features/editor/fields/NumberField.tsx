import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { durationOf, durationWritten } from '../../../../domain/durationWords.ts';
import { WORDS } from '../../../ui/words/words.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { EDITOR } from '../words.ts';

const words = EDITOR.input;

interface NumberFieldProps {
  label: string;
  field: string;
  value: number | null | undefined;
  onChange: (value: number | undefined) => void;
  help?: string;
  /** Milliseconds in the definition, typed with units: `5 min`. */
  isDuration?: boolean;
  required?: boolean;
}

/** A number without expressions. Invalid text stays in the field with an error. */
export function NumberField({ label, field, value, onChange, help, isDuration = false, required }: NumberFieldProps) {
  const { isReadOnly } = useEditing();
  const problem = useProblem(field);
  const read = isDuration ? durationOf : numberOf;
  const shown = value === undefined || value === null ? '' : isDuration ? durationWritten(value) : String(value);
  const [written, setWritten] = useState({ text: shown, shown });
  if (written.shown !== shown && read(written.text) !== value) setWritten({ text: shown, shown });
  const isNone = written.text.trim() !== '' && read(written.text) === undefined;
  const write = (text: string) => {
    const next = read(text);
    setWritten({ text, shown: next === undefined ? '' : isDuration ? durationWritten(next) : String(next) });
    onChange(next);
  };
  return (
    <TextInput
      label={label}
      inputMode={isDuration ? 'text' : 'numeric'}
      required={required ?? false}
      description={[help, isDuration ? words.durationHelp : ''].filter(Boolean).join(' ') || undefined}
      error={isNone ? (isDuration ? words.noDuration : WORDS.form.number) : problem}
      data-field={field}
      disabled={isReadOnly}
      value={written.text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}

function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
}
