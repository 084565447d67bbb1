import { Button, Group, Text, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { CHAT } from '../../words/en/agents.ts';

const words = CHAT;

interface ComposerProps {
  /** Rejected: the text comes back into the field. */
  onSend: (text: string) => unknown;
  isSending?: boolean;
  /** Present while a turn runs. */
  onStop?: (() => void) | undefined;
  isStopping?: boolean;
  /** What is good to know before one writes. */
  note?: string | undefined;
}

/** Where a message is written: Enter sends it, Shift and Enter make a line, Escape stops the turn that runs. */
export function Composer({ onSend, isSending = false, onStop, isStopping = false, note }: ComposerProps) {
  const [text, setText] = useState('');
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '' || isSending) return;
    setText('');
    void Promise.resolve(onSend(text.trim())).catch(() => setText((now) => (now === '' ? text : now)));
  };
  const onKey = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character is not the end of the message.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
    if (event.key === 'Escape' && onStop !== undefined) onStop();
  };
  return (
    <form onSubmit={send} className="composer">
      <Textarea
        label={words.message}
        placeholder={words.placeholder}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="xs" className="composer-note">
          {note ?? words.keys}
        </Text>
        <Group gap="xs">
          {onStop !== undefined && (
            <Button variant="default" loading={isStopping} onClick={onStop}>
              {words.stop}
            </Button>
          )}
          <Button type="submit" loading={isSending}>
            {words.send}
          </Button>
        </Group>
      </Group>
    </form>
  );
}
