import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useRef, useState } from 'react';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type Offer, offersOf } from './itemOffers.ts';
import { moveItem } from './mutations.ts';
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
