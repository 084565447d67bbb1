import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type BulkEnd, type BulkOffer, bulkCount, type ItemTarget, moveItems } from './mutations.ts';
import { refreshQueues } from './queries.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.page;
const SHOWN = 20;

interface MoveDialogProps {
  queueId: string;
  offer: BulkOffer;
  target: ItemTarget;
  onClose: () => void;
}

function titleOf(offer: BulkOffer, count: number | undefined): string {
  if (count === undefined) return words.counting;
  return count === 0 ? words.offers[offer] : words.titles[offer](count);
}

export function MoveDialog({ queueId, offer, target, onClose }: MoveDialogProps) {
  const queries = useQueryClient();
  const stopped = useRef(new AbortController());
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [moved, setMoved] = useState<number>();
  const [end, setEnd] = useState<BulkEnd>();
  const [error, setError] = useState<unknown>();
  const count = useQuery(bulkCount(queueId, offer, target));
  useEffect(() => () => stopped.current.abort(), []);
  const total = count.data ?? 0;
  const given = 'rows' in target ? target.rows.length : undefined;
  const begin = async () => {
    setMissing(offer === 'FAILED' && reason.trim() === '');
    if (offer === 'FAILED' && reason.trim() === '') return;
    setMoved(0);
    try {
      const { signal } = stopped.current;
      setEnd(await moveItems(queueId, offer, target, { reason, signal, onProgress: setMoved }));
    } catch (failure) {
      if (!stopped.current.signal.aborted) setError(failure);
    } finally {
      void refreshQueues(queries);
    }
  };
  return (
    <Modal opened onClose={onClose} title={titleOf(offer, count.data)}>
      <Stack>
        {count.error !== null && <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />}
        {count.data === 0 && <Text>{words.none}</Text>}
        {moved === undefined && total > 0 && (
          <>
            {given !== undefined && given !== total && <Text>{words.someOnly(total, given)}</Text>}
            {offer === 'requeue' && <Text>{words.requeueMeans}</Text>}
            {offer === 'remove' && <Text>{words.deleteItemsMeans}</Text>}
            {(offer === 'FAILED' || offer === 'COMPLETED') && (
              <Textarea
                label={offer === 'FAILED' ? words.reason : words.note}
                error={isMissing ? words.reasonNeeded : undefined}
                autosize
                minRows={2}
                maxLength={2000}
                data-autofocus
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {words.leave}
              </Button>
              <Button color={offer === 'remove' ? 'red.9' : undefined} onClick={() => void begin()}>
                {words.offers[offer]}
              </Button>
            </Group>
          </>
        )}
        {moved !== undefined && error === undefined && <Text role="status">{words.moved(end?.moved ?? moved)}</Text>}
        {end !== undefined && end.refused.length > 0 && (
          <>
            <Text>{words.refused(end.refused.length)}</Text>
            <List size="sm">
              {end.refused.slice(0, SHOWN).map(({ id, code, message }) => (
                <List.Item key={id}>
                  {code}: {message}
                </List.Item>
              ))}
            </List>
          </>
        )}
        {error !== undefined && <ProblemAlert error={error} />}
        {(end !== undefined || error !== undefined || count.data === 0) && (
          <Group justify="flex-end">
            <Button onClick={onClose}>{WORDS.close}</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
