import { Alert, Button, Group, List, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { WORDS } from './words/words.ts';

const words = WORDS.rounds;
const SHOWN = 20;

interface RoundProgressProps {
  total: number;
  accepted: number;
  failed: readonly { key: string; text: ReactNode }[];
  isDone: boolean;
  doneText: string;
  failedText: string;
  /** Saves all refused items as a file; absent if they are only listed here. */
  onSave?: () => void;
  onStop: () => void;
  onClose: () => void;
}

export function RoundProgress({ total, accepted, failed, isDone, ...how }: RoundProgressProps) {
  const finished = accepted + failed.length;
  return (
    <>
      <Progress value={isDone ? 100 : (100 * finished) / Math.max(total, 1)} aria-label={words.keepOpen} />
      <Text role="status">{isDone ? how.doneText : words.keepOpen}</Text>
      {failed.length > 0 && (
        <Alert color="yellow" title={how.failedText} styles={{ title: { color: 'var(--ink-ask)' } }}>
          <List size="sm">
            {failed.slice(0, SHOWN).map(({ key, text }) => (
              <List.Item key={key}>{text}</List.Item>
            ))}
          </List>
          {failed.length > SHOWN && <Text size="sm">{words.moreRefused(failed.length - SHOWN)}</Text>}
          {how.onSave !== undefined && (
            <Button mt="xs" size="xs" variant="default" onClick={how.onSave}>
              {words.saveRefused}
            </Button>
          )}
        </Alert>
      )}
      <Group justify="flex-end">
        {isDone ? (
          <Button onClick={how.onClose}>{WORDS.close}</Button>
        ) : (
          <Button variant="default" onClick={how.onStop}>
            {words.stop}
          </Button>
        )}
      </Group>
    </>
  );
}
