import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { KNOWLEDGE } from './words.ts';

const words = KNOWLEDGE;

/** A form for a text to store as a document. It keeps the text until `onStore` resolves. */
export function Paste({ onStore }: { onStore: (name: string, text: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    void onStore(name.trim(), text).finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={words.documentName}
          required
          maxLength={500}
          readOnly={isBusy}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={words.text}
          required
          autosize
          minRows={5}
          maxRows={20}
          readOnly={isBusy}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy} disabled={name.trim() === '' || text.trim() === ''}>
            {words.store}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
