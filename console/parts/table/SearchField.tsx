import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';

interface SearchFieldProps {
  label: string;
  help?: string;
  placeholder?: string;
  /** How much of a line it takes. */
  flex?: string;
  /** What the address says. */
  value: string;
  /** Called with the trimmed text on Enter, and when the field is left. */
  onFind: (phrase: string | undefined) => void;
}

/** One field for what people look for. */
export function SearchField({ label, help, placeholder, flex = '1 1 18rem', value, onFind }: SearchFieldProps) {
  const [phrase, setPhrase] = useState(value);
  useEffect(() => setPhrase(value), [value]);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(phrase.trim() || undefined);
  };
  return (
    <form onSubmit={find} style={{ flex }}>
      <TextInput
        label={label}
        {...(help === undefined ? {} : { 'aria-description': help, title: help })}
        {...(placeholder === undefined ? {} : { placeholder })}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={phrase}
        onChange={(event) => setPhrase(event.currentTarget.value)}
        onBlur={() => phrase.trim() !== value && onFind(phrase.trim() || undefined)}
      />
    </form>
  );
}
