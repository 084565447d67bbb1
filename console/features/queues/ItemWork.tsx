import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { client } from '../../app/session/session.ts';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { changeHeld, doubt, type HeldItem, isLoss, letGo } from './held.ts';
import { ItemFacts } from './ItemFacts.tsx';
import { ITEM_WORK } from './itemWorkWords.ts';
import { itemName, oneItem } from './queues.ts';
import { QUEUES } from './words.ts';

const words = ITEM_WORK;

type End = 'complete' | 'fail' | 'release';

interface ItemWorkProps {
  item: HeldItem;
  /** Called when the item has left the person's hands. */
  onEnded: (how: { next: boolean }) => void;
  /** Its name stands over it, with its data; not where the place has them already. */
  isTitled?: boolean;
}

/** An item that the person holds: what it says, and how its work ends. */
export function ItemWork({ item, onEnded, isTitled = true }: ItemWorkProps) {
  const queries = useQueryClient();
  const { queueId, itemId, lease, note, isLost, queueName, expiresAt } = item;
  const query = useQuery(oneItem(queueId, itemId));
  // Of what was read before the claim the API says that the item is held all the same.
  const isOurs = query.data === undefined || (query.data.status === 'PROCESSING' && query.data.lease?.number === lease);
  useEffect(() => {
    if (!isOurs && !isLost) doubt({ queueId, itemId });
  }, [isOurs, isLost, queueId, itemId]);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const end = useMutation({
    mutationFn: ({ how }: { how: End; next: boolean }) => endItem(item, how),
    onSuccess: (message, { next }) => {
      done(message);
      letGo(item);
      for (const list of ['listQueueItems', 'listQueues', 'getQueueItem', 'getQueue']) {
        void queries.invalidateQueries({ queryKey: [list] });
      }
      onEnded({ next });
    },
    onError: (error) => {
      if (isLoss(error)) changeHeld({ queueId, itemId }, { isLost: true });
    },
  });
  const act = (how: End, next = false) => {
    const isMissing = how === 'fail' && note.trim() === '';
    setReasonMissing(isMissing);
    if (isMissing) noteField.current?.focus();
    else end.mutate({ how, next });
  };
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isLost || end.isPending) return;
    event.preventDefault();
    act('complete', true);
  };
  const title = words.title(query.data === undefined ? item.name : itemName(query.data));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for its button
    <div onKeyDown={byKey}>
      {isTitled && (
        <Title order={2} size="h4" tabIndex={-1} className="form-title">
          {title}
        </Title>
      )}
      <Text size="sm">
        {words.of(queueName)}
        {!isLost && (
          <>
            {' · '}
            <Lease until={expiresAt} />
          </>
        )}
      </Text>
      {isLost && (
        <Text role="alert" className="closed">
          {words.lost}
        </Text>
      )}
      {query.error !== null && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading height={120} />}
      {query.data !== undefined && <ItemFacts item={query.data} />}
      {end.error !== null && !isLost && <ProblemAlert error={end.error} />}
      <Stack mt="sm" gap="sm">
        <Textarea
          ref={noteField}
          label={words.note}
          description={words.noteHelp}
          autosize
          minRows={2}
          maxLength={2000}
          readOnly={isLost}
          error={isReasonMissing ? words.reasonNeeded : undefined}
          value={note}
          onChange={(event) => changeHeld({ queueId, itemId }, { note: event.currentTarget.value })}
        />
        <Group className="form-buttons">
          {isLost ? (
            <Button
              onClick={() => {
                letGo(item);
                onEnded({ next: false });
              }}
            >
              {words.dismiss}
            </Button>
          ) : (
            <>
              <Button loading={end.isPending} onClick={() => act('complete')}>
                {words.complete}
              </Button>
              <Button variant="default" disabled={end.isPending} onClick={() => act('fail')}>
                {words.fail}
              </Button>
              <Button variant="default" disabled={end.isPending} onClick={() => act('release')}>
                {words.release}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </div>
  );

  /** What is said when it is done. */
  async function endItem({ note: text }: HeldItem, how: End): Promise<string> {
    const path = { queueId, itemId };
    const reason = text.trim();
    if (how === 'fail') {
      const { status } = await client.recordQueueItemError({ path, body: { error: reason, lease } });
      return words.failed(QUEUES.status[status]);
    }
    const status = how === 'complete' ? 'COMPLETED' : 'PENDING';
    await client.setQueueItemStatus({
      path,
      body: { status, lease, ...(reason === '' ? {} : { note: reason }) },
    });
    return how === 'complete' ? words.completed : words.released;
  }
}

/** How long the item is the person's; not that it is kept once its time is over, while the API does not answer. */
function Lease({ until }: { until: string }) {
  if (useNow() >= Date.parse(until)) return words.over;
  return (
    <>
      {words.leaseEnds} <Countdown at={until} /> · {words.kept}
    </>
  );
}
