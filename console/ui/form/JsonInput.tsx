import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeEditor } from '../code/CodeEditor.tsx';
import { parsedObject } from '../code/jsonText.ts';
import { WORDS } from '../words/words.ts';

const words = WORDS;

export type Input = Record<string, unknown>;

interface JsonInputProps {
  about?: string;
  initial?: Input | undefined;
  beside?: ReactNode;
  submitLabel: string;
  isBusy: boolean;
  onSubmit: (input: Input) => void;
}

/** The input for a trigger without fields: any JSON object. */
export function JsonInput({ about, initial = {}, beside, submitLabel, isBusy, onSubmit }: JsonInputProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2));
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    const value = parsedObject(text.trim() === '' ? '{}' : text);
    setWrong(value === undefined);
    if (value !== undefined) onSubmit(value);
  };
  return (
    <>
      {about !== undefined && <Text size="sm">{about}</Text>}
      <CodeEditor label={words.inputJson} language="json" value={text} onChange={setText} />
      {isWrong && (
        <Text role="alert" c="var(--ink-bad)" size="sm">
          {words.notAnObject}
        </Text>
      )}
      <Group>
        <Button loading={isBusy} onClick={submit}>
          {submitLabel}
        </Button>
        {beside}
      </Group>
    </>
  );
}
