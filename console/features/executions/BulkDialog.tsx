import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { QUERIES } from '../../app/api/queries.ts';
import { csvOf } from '../../ui/files/csv.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { isTyped, TypedNumber } from '../../ui/form/TypedNumber.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { RoundProgress } from '../../ui/RoundProgress.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type BulkKind, type BulkTarget, matching, runBulk } from './mutations.ts';
import { refreshExecutionLists } from './queries/executions.ts';
import { BULK } from './words.ts';

const words = WORDS.executions;

/** Above this the user types the number, so that a slip does not retry 10,000 executions. */
const TYPED_ABOVE = 1_000;

interface Kind {
  ask: (count: number) => string;
  means: string;
  button: string;
  /** Label of the field for its reason or note. */
  field?: string;
  isDangerous?: boolean;
}

const OF_KIND: Record<BulkKind, Kind> = {
  retry: { ask: BULK.confirmRetry, means: BULK.retryMeans, button: words.retry },
  acknowledge: {
    ask: BULK.confirmAcknowledge,
    means: BULK.acknowledgeMeans,
    button: words.acknowledge,
    field: words.note,
  },
  cancel: {
    ask: BULK.confirmCancel,
    means: BULK.cancelMeans,
    button: words.cancel,
    field: words.reason,
    isDangerous: true,
  },
  terminate: {
    ask: BULK.confirmTerminate,
    means: BULK.terminateMeans,
    button: words.terminate,
    field: words.reason,
    isDangerous: true,
  },
};

const REFUSED = ['executionId', 'code', 'message'];

interface BulkDialogProps {
  kind: BulkKind;
  target: BulkTarget;
  /** Names the executions if the page behind the dialog does not. */
  about?: string;
  onClose: () => void;
}

interface Done {
  accepted: number;
  failed: { executionId: string; code: string; message: string }[];
}

export function BulkDialog({ kind, target, about, onClose }: BulkDialogProps) {
  const stopped = useRef(new AbortController());
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [choice, setChoice] = useState<boolean>();
  const [progress, setProgress] = useState<Done>();
  const [begun, setBegun] = useState<number>();
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>();
  const count = useQuery(matching(kind, target));
  useEffect(() => () => stopped.current.abort(), []);
  const { count: plain = 0, again } = count.data ?? {};
  // If all executions completed, only their failed items can be retried.
  const failedItems = again !== undefined && (choice ?? plain === 0);
  const eligible = failedItems ? again.count : plain;
  // A later count leaves out the executions that this dialog has already changed.
  const total = begun ?? eligible;
  const asksNumber = kind === 'terminate' || total > TYPED_ABOVE;
  const begin = async () => {
    setBegun(total);
    setProgress({ accepted: 0, failed: [] });
    try {
      await runBulk(kind, target, { reason, failedItems, signal: stopped.current.signal, onProgress: setProgress });
    } catch (failure) {
      if (!stopped.current.signal.aborted) setError(failure);
    } finally {
      setDone(true);
      refreshExecutionLists(QUERIES);
    }
  };
  const { ask, means, button, field, isDangerous } = OF_KIND[kind];
  return (
    <Modal opened onClose={onClose} title={count.data === undefined ? BULK.counting : ask(total)}>
      <Stack>
        {about !== undefined && <Text>{about}</Text>}
        {count.error !== null && <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />}
        {again !== undefined && progress === undefined && (
          <Checkbox
            label={BULK.failedItems(again.withFailedItems)}
            checked={failedItems}
            onChange={(event) => setChoice(event.currentTarget.checked)}
          />
        )}
        {count.data !== undefined && progress === undefined && total === 0 && <Text>{BULK.nothingEligible}</Text>}
        {progress === undefined && total > 0 && (
          <>
            <Text>{failedItems ? BULK.failedItemsMean : means}</Text>
            {field !== undefined && (
              <TextInput
                label={field}
                maxLength={1000}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            {asksNumber && <TypedNumber number={total} typed={typed} onType={setTyped} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {words.dismiss}
              </Button>
              <Button
                color={isDangerous ? 'red.9' : undefined}
                disabled={asksNumber && !isTyped(typed, total)}
                onClick={() => void begin()}
              >
                {button}
              </Button>
            </Group>
          </>
        )}
        {progress !== undefined && (
          <RoundProgress
            total={total}
            accepted={progress.accepted}
            failed={progress.failed.map(({ executionId, code, message }) => ({
              key: executionId,
              text: `${code}: ${message}`,
            }))}
            isDone={isDone}
            doneText={BULK.done(progress.accepted)}
            failedText={BULK.failed(progress.failed.length)}
            onSave={() => saveFile('refused.csv', 'text/csv', csvOf(REFUSED, progress.failed))}
            onStop={() => stopped.current.abort()}
            onClose={onClose}
          />
        )}
        {error !== undefined && <ProblemAlert error={error} />}
      </Stack>
    </Modal>
  );
}
