import { TextInput } from '@mantine/core';
import { COMMON } from '../words/common.ts';

/** Whether the person has typed this number, with or without its `#`. */
export const isTyped = (typed: string, number: number): boolean => typed.trim().replace(/^#/, '') === String(number);

interface TypedNumberProps {
  number: number;
  typed: string;
  onType: (typed: string) => void;
}

/** A number that is typed before something that a slip must not do. */
export function TypedNumber({ number, typed, onType }: TypedNumberProps) {
  return (
    <TextInput
      label={COMMON.typeNumber(number)}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
