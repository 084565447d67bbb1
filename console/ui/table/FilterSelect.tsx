import { NativeSelect } from '@mantine/core';

interface Choice {
  value: string;
  label: string;
}

interface FilterSelectProps {
  label: string;
  /** As in the address; undefined: no filter. */
  value: string | undefined;
  choices: (Choice | { group: string; items: Choice[] })[];
  /** The label for no choice; absent if `choices` has one with an empty value. */
  any?: string;
  maw?: number;
  onChoose: (value: string | undefined) => void;
}

/** Shows the address's value even if it is not an option, for example a deleted resource. */
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
