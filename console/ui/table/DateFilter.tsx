import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fieldOfTime, timeOfField } from '../time/times.ts';
import { useZone } from '../time/timeZone.ts';
import { WORDS } from '../words/words.ts';

interface DateFilterProps {
  type?: 'date' | 'datetime-local';
  label: string;
  value: string | undefined;
  onChange: (text: string | undefined) => void;
}

/**
 * Has a text of its own: a typed year is a valid date from its first digit on (0002), and an update from the address
 * would restart it.
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

interface TimeFilterProps {
  label: string;
  /** In ISO 8601, so that the address means the same in every time zone. */
  value: string | undefined;
  onChange: (time: string | undefined) => void;
}

export function TimeFilter({ label, value, onChange }: TimeFilterProps) {
  const zone = useZone();
  return (
    <DateFilter
      type="datetime-local"
      label={zone === 'UTC' ? WORDS.inUtc(label) : label}
      value={fieldOfTime(value, zone)}
      onChange={(text) => onChange(text === undefined ? undefined : timeOfField(text, zone))}
    />
  );
}
