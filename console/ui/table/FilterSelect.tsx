import { NativeSelect } from '@mantine/core';

interface Choice {
  value: string;
  label: string;
}

interface FilterSelectProps {
  label: string;
  /** As it stands in the address; undefined: nothing is filtered. */
  value: string | undefined;
  choices: (Choice | { group: string; items: Choice[] })[];
  /** The words for no choice; absent where `choices` has them, at the empty value. */
  any?: string;
  /** The widest, in px. */
  maw?: number;
  onChoose: (value: string | undefined) => void;
}

/** A filter of a list that is chosen. What the address asks for is shown also where it is no choice, such as what was deleted. */
export function FilterSelect({ value = '', choices, any, onChoose, ...field }: FilterSelectProps) {
  const all = choices.flatMap((choice) => ('items' in choice ? choice.items : choice));
  const isKnown = value === '' || all.some((choice) => choice.value === value);
  return (
    <NativeSelect
      {...field}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
      data={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...choices,
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
    />
  );
}
