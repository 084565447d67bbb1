import { Button, Group, Text } from '@mantine/core';
import type { OutboxMessage } from '../../../app/delivery/outbox.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { plainName } from './plainName.ts';
import { CHAT } from './words.ts';

const words = CHAT;

const SHORT = 40;

interface OutboxProps {
  messages: readonly OutboxMessage[];
  onCancel: (id: string) => void;
  onSend: (id: string) => void;
}

export function Outbox({ messages, onCancel, onSend }: OutboxProps) {
  const shown = messages.filter(({ state }) => state !== 'sent');
  if (shown.length === 0) return null;
  return (
    <ul className="outbox" aria-label={words.afterTurn}>
      {shown.map(({ id, text, files = [], state }) => (
        <li key={id}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Chip tone={state === 'held' ? 'bad' : 'wait'}>{state === 'held' ? words.held : words.afterTurn}</Chip>
            <Text className="plain" size="sm">
              {text}
              {files.map(({ filename = '' }, at) => (
                <bdi key={at} className="away">
                  {plainName(filename)}
                </bdi>
              ))}
            </Text>
            {state === 'held' && (
              <Button size="compact-xs" variant="default" onClick={() => onSend(id)}>
                {words.sendHeld}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="default"
              aria-label={words.cancelWaiting((text || plainName(files[0]?.filename ?? '')).slice(0, SHORT))}
              onClick={() => onCancel(id)}
            >
              {words.cancel}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  );
}
