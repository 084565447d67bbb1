import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useRef, useState } from 'react';
import { client } from '../../app/session/session.ts';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { hold } from './held.ts';
import { type Offer, offersOf } from './itemOffers.ts';
import { ITEM_WORK } from './itemWorkWords.ts';
import { moveBody } from './queueItems.ts';
import { itemName, type QueueItem } from './queues.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.item;
const LEASE_MS = 300_000;

interface ItemMovesProps {
  queue: { id: string; name: string };
  item: QueueItem;
  onRemoved: () => void;
}

/** The moves that an item may make now, and no other. */
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
      for (const list of ['getQueueItem', 'listQueueItems', 'getQueue', 'listQueues']) {
        void queries.invalidateQueries({ queryKey: [list] });
      }
      if (offer === 'remove') onRemoved();
    },
    // The item is not what was shown.
    onError: () => void queries.invalidateQueries({ queryKey: ['getQueueItem'] }),
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
          // What was typed before somebody else ended the item is there to be copied.
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

/** A move by hand. To begin an item is to hold it, as a claim does. */
async function moveItem(
  queue: { id: string; name: string },
  item: QueueItem,
  offer: Offer,
  reason: string,
): Promise<void> {
  const path = { queueId: queue.id, itemId: item.id };
  if (offer === 'remove') return void (await client.deleteQueueItem({ path }));
  if (offer === 'requeue') return void (await client.requeueQueueItem({ path }));
  // Due at once, and spends no retry.
  if (offer === 'RETRYING' && item.status === 'FAILED') return void (await client.retryQueueItem({ path }));
  if (offer === 'FAILED' && item.status === 'PROCESSING') {
    return void (await client.recordQueueItemError({ path, body: { error: reason.trim() } }));
  }
  const leaseMs = LEASE_MS;
  const body = { ...moveBody(offer, reason), ...(offer === 'PROCESSING' ? { leaseMs } : {}) };
  const moved = await client.setQueueItemStatus({ path, body, query: { expansion: 'lease' } });
  if (offer !== 'PROCESSING' || moved.lease == null) return;
  const { number: lease, expiresAt } = moved.lease;
  hold({
    ...path,
    queueName: queue.name,
    name: itemName(item),
    lease,
    leaseMs,
    expiresAt,
    isLost: false,
    note: reason,
  });
}
