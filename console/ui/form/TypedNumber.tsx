import { TextInput } from '@mantine/core';
import { WORDS } from '../words/words.ts';

/** Whether the typed text is this number, with or without `#`. */
export const isTyped = (typed: string, number: number): boolean => typed.trim().replace(/^#/, '') === String(number);

interface TypedNumberProps {
  number: number;
  typed: string;
  onType: (typed: string) => void;
}

export function TypedNumber({ number, typed, onType }: TypedNumberProps) {
  return (
    <TextInput
      label={WORDS.typeNumber(number)}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
