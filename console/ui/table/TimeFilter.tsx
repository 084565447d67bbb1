import { useZone } from '../time/timeZone.ts';
import { fieldOfTime, timeOfField } from '../time/zonedTime.ts';
import { WORDS } from '../words/words.ts';
import { DateFilter } from './DateFilter.tsx';

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
