import { Button, Group, Text, Textarea } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import { useMessageDraft } from '../../live/messageDraft.ts';
import { CHAT } from '../../words/en/agents.ts';

const words = CHAT;

interface ComposerProps {
  agentId: string;
  /** Absent: the message begins a task. */
  taskId?: string;
  /** Until it has resolved the text stays where it was written. */
  onSend: (text: string) => unknown;
  isSending?: boolean;
  /** Present while a turn runs. */
  onStop?: (() => void) | undefined;
  isStopping?: boolean;
  /** What is good to know before one writes. */
  note?: string | undefined;
}

/** Where a message is written: Enter sends it, Shift and Enter make a line, Escape stops the turn that runs. */
export function Composer(props: ComposerProps) {
  const { agentId, taskId, onSend, isSending = false, onStop, isStopping = false, note } = props;
  const { text, write, sent } = useMessageDraft(agentId, taskId);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === '' || isSending) return;
    const sending = onSend(text.trim());
    if (sending instanceof Promise) sending.then(sent, () => undefined);
    else sent();
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
        onChange={(event) => write(event.currentTarget.value)}
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
