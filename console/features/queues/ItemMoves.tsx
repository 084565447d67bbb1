import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useEffect, useRef, useState } from 'react';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type Offer, offersOf } from './itemOffers.ts';
import { type BulkEnd, type BulkOffer, bulkCount, type ItemTarget, moveItem, moveItems } from './mutations.ts';
import { type QueueItem, refreshItem, refreshQueues } from './queries.ts';
import { ITEM_WORK, QUEUES } from './words.ts';

const words = QUEUES.item;

interface ItemMovesProps {
  queue: { id: string; name: string };
  item: QueueItem;
  onRemoved: () => void;
}

export function ItemMoves({ queue, item, onRemoved }: ItemMovesProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const offers = offersOf(item);
  const move = useMutation({
    mutationFn: (offer: Offer) => moveItem(queue, item, offer, reason),
    onSuccess: (_, offer) => {
      done(words.done);
      setReason('');
      void refreshQueues(queries);
      if (offer === 'remove') onRemoved();
    },
    onError: () => void refreshItem(queries),
  });
  const act = (offer: Offer) => {
    const lacks = offer === 'FAILED' && reason.trim() === '';
    setMissing(lacks);
    if (lacks) field.current?.focus();
    else if (offer === 'remove' && !isRemoving) setRemoving(true);
    else move.mutate(offer);
  };
  const isOvertaken = isProblem(move.error, 'INVALID_TRANSITION');
  const moves = offers.filter((offer) => offer !== 'remove');
  return (
    <Stack mt="md" gap="sm">
      {moves.length === 0 && <Text size="sm">{words.finalNote}</Text>}
      {item.status === 'PROCESSING' && <Text size="sm">{words.ofOthers}</Text>}
      {(moves.length > 0 || reason.trim() !== '') && (
        <Textarea
          ref={field}
          label={ITEM_WORK.note}
          description={ITEM_WORK.noteHelp}
          error={isMissing ? QUEUES.page.reasonNeeded : undefined}
          autosize
          minRows={2}
          maxLength={2000}
          // If somebody else ended the item meanwhile, the text can still be copied.
          readOnly={moves.length === 0}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {isOvertaken && (
        <Text role="alert" c="var(--ink-bad)">
          {words.overtaken}
        </Text>
      )}
      {move.error !== null && !isOvertaken && <ProblemAlert error={move.error} />}
      <Group gap="xs">
        {offers.map((offer, at) => (
          <Button
            key={offer}
            variant={(at === 0 && offer !== 'remove') || (offer === 'remove' && isRemoving) ? 'filled' : 'default'}
            color={offer === 'remove' && isRemoving ? 'red.9' : undefined}
            disabled={move.isPending}
            onClick={() => act(offer)}
          >
            {offer === 'remove' && isRemoving ? words.removeSurely : words.moveTo[offer]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const SHOWN = 20;

interface MoveDialogProps {
  queueId: string;
  offer: BulkOffer;
  target: ItemTarget;
  onClose: () => void;
}

function titleOf(offer: BulkOffer, count: number | undefined): string {
  if (count === undefined) return QUEUES.page.counting;
  return count === 0 ? QUEUES.page.offers[offer] : QUEUES.page.titles[offer](count);
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
        {count.data === 0 && <Text>{QUEUES.page.none}</Text>}
        {moved === undefined && total > 0 && (
          <>
            {given !== undefined && given !== total && <Text>{QUEUES.page.someOnly(total, given)}</Text>}
            {offer === 'requeue' && <Text>{QUEUES.page.requeueMeans}</Text>}
            {offer === 'remove' && <Text>{QUEUES.page.deleteItemsMeans}</Text>}
            {(offer === 'FAILED' || offer === 'COMPLETED') && (
              <Textarea
                label={offer === 'FAILED' ? QUEUES.page.reason : QUEUES.page.note}
                error={isMissing ? QUEUES.page.reasonNeeded : undefined}
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
                {QUEUES.page.leave}
              </Button>
              <Button color={offer === 'remove' ? 'red.9' : undefined} onClick={() => void begin()}>
                {QUEUES.page.offers[offer]}
              </Button>
            </Group>
          </>
        )}
        {moved !== undefined && error === undefined && (
          <Text role="status">{QUEUES.page.moved(end?.moved ?? moved)}</Text>
        )}
        {end !== undefined && end.refused.length > 0 && (
          <>
            <Text>{QUEUES.page.refused(end.refused.length)}</Text>
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
