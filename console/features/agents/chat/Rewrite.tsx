import { Button, Group, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CHAT } from './words.ts';

const words = CHAT;

/** Shows the draft again if the task does not accept it. `onSend` is absent while nothing can be sent. */
export function useRewrite(text: string, onSend: ((text: string) => Promise<boolean>) | undefined) {
  const [draft, setDraft] = useState<string>();
  const [isSending, setSending] = useState(false);
  return {
    draft: isSending ? undefined : draft,
    begin: () => setDraft(text),
    write: setDraft,
    close: () => setDraft(undefined),
    send:
      onSend === undefined || draft === undefined || draft.trim() === ''
        ? undefined
        : () => {
            setSending(true);
            void onSend(draft.trim()).then((isTaken) => {
              if (isTaken) setDraft(undefined);
              setSending(false);
            });
          },
    isPossible: onSend !== undefined,
  };
}

interface RewriteProps extends Omit<ReturnType<typeof useRewrite>, 'begin' | 'draft'> {
  draft: string;
}

/** Sending replaces the person's last message and all that followed. */
export function Rewrite({ draft, write, close, send, isPossible }: RewriteProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send?.();
      }}
    >
      <Textarea
        label={words.editLabel}
        autosize
        minRows={2}
        maxRows={12}
        // A ref focuses it once, on mount.
        ref={focused}
        value={draft}
        onChange={(event) => write(event.currentTarget.value)}
      />
      {!isPossible && <Text size="sm">{words.editWaits}</Text>}
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" disabled={send === undefined}>
          {words.resend}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}

const focused = (field: HTMLTextAreaElement | null) => field?.focus();
