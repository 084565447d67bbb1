import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';

/** The pause in typing after which the list is filtered. */
const PAUSE_MS = 300;

interface SearchFieldProps {
  label: string;
  help?: string;
  placeholder?: string;
  flex?: string;
  value: string;
  /** Called with the trimmed text shortly after the last key, on Enter, and on blur. */
  onFind: (phrase: string | undefined) => void;
}

export function SearchField({ label, help, placeholder, flex = '1 1 18rem', value, onFind }: SearchFieldProps) {
  const [phrase, setPhrase] = useState(value);
  const given = useRef(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(onFind);
  newest.current = onFind;
  useEffect(() => {
    // The address returns the text of an earlier moment: keep later key presses.
    if (value === given.current) return;
    clearTimeout(pause.current);
    given.current = value;
    setPhrase(value);
  }, [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const find = (text: string) => {
    clearTimeout(pause.current);
    const next = text.trim();
    if (next === given.current) return;
    given.current = next;
    newest.current(next || undefined);
  };
  const change = (text: string) => {
    setPhrase(text);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => find(text), PAUSE_MS);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find(phrase);
  };
  return (
    <form onSubmit={submit} style={{ flex }}>
      <TextInput
        label={label}
        {...(help === undefined ? {} : { 'aria-description': help, title: help })}
        {...(placeholder === undefined ? {} : { placeholder })}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={phrase}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => find(phrase)}
      />
    </form>
  );
}
