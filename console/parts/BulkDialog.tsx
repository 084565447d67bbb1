import { Alert, Button, Group, List, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type BulkTarget, countMatching, runBulk } from '../data/bulk.ts';
import { QUERIES } from '../queries.ts';
import { WORDS } from '../words/en.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

const words = WORDS.executions;

/** Above it a person types the number: a slip must not retry ten thousand. */
const TYPED_ABOVE = 1_000;

export type BulkKind = 'retry' | 'cancel';

interface BulkDialogProps {
  kind: BulkKind;
  target: BulkTarget;
  onClose: () => void;
}

interface Done {
  accepted: number;
  failed: { executionId: string; code: string; message: string }[];
}

/** Says how many it concerns, asks, and does it in rounds until none is left. */
export function BulkDialog({ kind, target, onClose }: BulkDialogProps) {
  const stopped = useRef(new AbortController());
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [progress, setProgress] = useState<Done>();
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>();
  const count = useQuery({
    queryKey: ['bulk', kind, target],
    queryFn: () => countMatching(kind, target),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => () => stopped.current.abort(), []);
  const total = count.data ?? 0;
  const isTyped = total <= TYPED_ABOVE || typed === String(total);
  const begin = async () => {
    setProgress({ accepted: 0, failed: [] });
    try {
      await runBulk(kind, target, { reason, signal: stopped.current.signal, onProgress: setProgress });
    } catch (failure) {
      if (!stopped.current.signal.aborted) setError(failure);
    } finally {
      setDone(true);
      void QUERIES.invalidateQueries({ queryKey: ['listExecutions'] });
      void QUERIES.invalidateQueries({ queryKey: ['countExecutions'] });
    }
  };
  const ask = kind === 'retry' ? words.confirmRetry : words.confirmCancel;
  const finished = (progress?.accepted ?? 0) + (progress?.failed.length ?? 0);
  return (
    <Modal opened onClose={onClose} title={count.data === undefined ? words.counting : ask(total)}>
      <Stack>
        {count.error !== null && <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />}
        {count.data === 0 && <Text>{words.nothingEligible}</Text>}
        {progress === undefined && total > 0 && (
          <>
            <Text>{kind === 'retry' ? words.retryMeans : words.cancelMeans}</Text>
            {kind === 'cancel' && (
              <TextInput
                label={words.reason}
                maxLength={1000}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            {total > TYPED_ABOVE && (
              <TextInput
                label={words.typeNumber(total)}
                inputMode="numeric"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {words.dismiss}
              </Button>
              <Button color={kind === 'cancel' ? 'red.9' : undefined} disabled={!isTyped} onClick={() => void begin()}>
                {kind === 'retry' ? words.retry : words.cancel}
              </Button>
            </Group>
          </>
        )}
        {progress !== undefined && (
          <>
            <Progress value={isDone ? 100 : (100 * finished) / Math.max(total, 1)} aria-label={words.keepOpen} />
            <Text role="status">{isDone ? words.done(progress.accepted) : words.keepOpen}</Text>
            {progress.failed.length > 0 && <Refused failed={progress.failed} />}
            <Group justify="flex-end">
              {isDone ? (
                <Button onClick={onClose}>{WORDS.close}</Button>
              ) : (
                <Button variant="default" onClick={() => stopped.current.abort()}>
                  {words.stop}
                </Button>
              )}
            </Group>
          </>
        )}
        {error !== undefined && <ProblemAlert error={error} />}
      </Stack>
    </Modal>
  );
}

const SHOWN = 20;

function Refused({ failed }: { failed: Done['failed'] }) {
  return (
    <Alert color="yellow" title={words.failed(failed.length)} styles={{ title: { color: 'var(--ink-ask)' } }}>
      <List size="sm">
        {failed.slice(0, SHOWN).map(({ executionId, code, message }) => (
          <List.Item key={executionId}>
            {code}: {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
