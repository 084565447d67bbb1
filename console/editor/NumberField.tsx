import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { durationText } from '../parts/times.ts';
import { EDITOR } from '../words/en/editor.ts';
import { WORDS } from '../words/en.ts';
import { useEditing } from './Editing.tsx';
import { useProblem } from './FormPlace.tsx';

const words = EDITOR.input;

interface NumberFieldProps {
  label: string;
  field: string;
  value: number | null | undefined;
  onChange: (value: number | undefined) => void;
  help?: string;
  /** It is milliseconds: said in words below. */
  isDuration?: boolean;
  required?: boolean;
}

/** A number that takes no expression. What is no number stays in the field, and is said to be none. */
export function NumberField({ label, field, value, onChange, help, isDuration = false, required }: NumberFieldProps) {
  const { isReadOnly } = useEditing();
  const problem = useProblem(field);
  const shown = value === undefined || value === null ? '' : String(value);
  const [written, setWritten] = useState({ text: shown, shown });
  if (written.shown !== shown && Number(written.text) !== value) setWritten({ text: shown, shown });
  const number = Number(written.text);
  const isNone = written.text.trim() !== '' && !Number.isFinite(number);
  const spoken = isDuration
    ? `${words.ms} ${typeof value === 'number' ? words.milliseconds(durationText(value)) : ''}`
    : '';
  const write = (text: string) => {
    const next = Number(text);
    const isValue = text.trim() !== '' && Number.isFinite(next);
    setWritten({ text, shown: isValue ? String(next) : '' });
    onChange(isValue ? next : undefined);
  };
  return (
    <TextInput
      label={label}
      inputMode="numeric"
      required={required ?? false}
      description={[help, spoken].filter(Boolean).join(' ') || undefined}
      error={isNone ? WORDS.form.number : problem}
      data-field={field}
      disabled={isReadOnly}
      value={written.text}
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}
