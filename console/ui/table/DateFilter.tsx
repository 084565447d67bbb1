import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface DateFilterProps {
  /** A day, or a time of a day; a day where nothing is said. */
  type?: 'date' | 'datetime-local';
  label: string;
  /** What the address says. */
  value: string | undefined;
  onChange: (text: string | undefined) => void;
}

/**
 * A day of the address, or a time. It has the text of its own: a year that is typed is a date from its first digit on (0002), and a field that
 * is set from outside meanwhile begins that year once more.
 */
export function DateFilter({ type = 'date', label, value = '', onChange }: DateFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      type={type}
      label={label}
      value={text}
      onChange={({ currentTarget: { value: typed, validity } }) => {
        setText(typed);
        const isDone = typed === '' ? !validity.badInput : /^[1-9]/.test(typed);
        if (isDone && typed !== value) onChange(typed || undefined);
      }}
      onBlur={() => text !== value && onChange(text || undefined)}
    />
  );
}
