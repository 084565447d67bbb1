import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface DateFilterProps {
  label: string;
  /** What the address says. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/**
 * A day of the address. It has the text of its own: a year that is typed is a date from its first digit on (0002), and a field that
 * is set from outside meanwhile begins that year once more.
 */
export function DateFilter({ label, value = '', onChange }: DateFilterProps) {
  const [day, setDay] = useState(value);
  useEffect(() => setDay(value), [value]);
  return (
    <TextInput
      type="date"
      label={label}
      value={day}
      onChange={({ currentTarget: { value: typed, validity } }) => {
        setDay(typed);
        const isDone = typed === '' ? !validity.badInput : /^[1-9]/.test(typed);
        if (isDone && typed !== value) onChange(typed || undefined);
      }}
      onBlur={() => day !== value && onChange(day || undefined)}
    />
  );
}
