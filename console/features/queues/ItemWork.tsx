import { Alert, Anchor, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { type AnyStatus, Status } from '../../ui/Status.tsx';
import { useNow } from '../../ui/time/clock.ts';
import { Countdown } from '../../ui/time/Moment.tsx';
import { ReadableValue } from '../values/ReadableValue.tsx';
import { Value } from '../values/Value.tsx';
import { changeHeld, checkLease, type HeldItem, isLeaseLost, release } from './leaseMutations.ts';
import { endWork } from './mutations.ts';
import { itemName, oneItem, type QueueItem, readItemField, refreshQueues } from './queries.ts';
import { ITEM_WORK, QUEUES } from './words.ts';

const words = ITEM_WORK;

type End = 'complete' | 'fail' | 'release';

interface ItemWorkProps {
  item: HeldItem;
  onEnded: (how: { next: boolean }) => void;
  /** False if the surrounding page shows the item's name already. */
  isTitled?: boolean;
}

export function ItemWork({ item, onEnded, isTitled = true }: ItemWorkProps) {
  const queries = useQueryClient();
  const { queueId, itemId, lease, note, isLost, queueName, expiresAt } = item;
  const query = useQuery(oneItem(queueId, itemId));
  // The item may have been read before the claim, so only a heartbeat proves that the lease is lost.
  const isOurs = query.data === undefined || (query.data.status === 'PROCESSING' && query.data.lease?.number === lease);
  useEffect(() => {
    if (!isOurs && !isLost) checkLease({ queueId, itemId });
  }, [isOurs, isLost, queueId, itemId]);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const end = useMutation({
    mutationFn: ({ how }: { how: End; next: boolean }) => endWork(item, how),
    onSuccess: (status, { how, next }) => {
      done(how === 'fail' ? words.failed(QUEUES.status[status]) : words.ended[how]);
      release(item);
      void refreshQueues(queries);
      onEnded({ next });
    },
    onError: (error) => {
      if (isLeaseLost(error)) changeHeld({ queueId, itemId }, { isLost: true });
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
                release(item);
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
}

/** The remaining time of the lease. While the API is unreachable, the lease is not extended and can end. */
function Lease({ until }: { until: string }) {
  if (useNow() >= Date.parse(until)) return words.over;
  return (
    <>
      {words.leaseEnds} <Countdown at={until} /> · {words.kept}
    </>
  );
}

export function ItemFacts({ item }: { item: QueueItem }) {
  const { id, data, dataBytes, dataLink, metadata, metadataBytes, metadataLink, object, lastExecution, lastError } =
    item;
  const { warning } = item;
  const queueId = item.queue?.id ?? '';
  const hasMetadata = Object.keys(metadata ?? {}).length > 0;
  const whole = (field: 'data' | 'metadata') => () => readItemField(queueId, id, field);
  return (
    <div>
      {warning != null && (
        <Alert color="yellow" role="status" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {words.stillRunning}{' '}
          <Anchor component={Link} to={`/executions/${warning.executionId}`} underline="always">
            {words.openExecution}
          </Anchor>
        </Alert>
      )}
      <Title order={3} size="h6" mt="sm">
        {words.data}
      </Title>
      {dataLink === undefined ? (
        <ReadableValue value={data} nothing={words.noData} label={words.data} />
      ) : (
        <Value value={data} bytes={dataBytes} load={whole('data')} />
      )}
      {(hasMetadata || metadataLink !== undefined) && (
        <>
          <Title order={3} size="h6" mt="sm">
            {words.metadata}
          </Title>
          {metadataLink === undefined ? (
            <ReadableValue value={metadata} nothing={words.noData} label={words.metadata} />
          ) : (
            <Value value={metadata} bytes={metadataBytes} load={whole('metadata')} />
          )}
        </>
      )}
      <Text size="sm" mt="xs">
        {item.maxRetries > 0 && words.tries(item.retryCount, item.maxRetries)}
        {object != null && (
          <>
            {' · '}
            {words.entity} <strong>{object.name}</strong>
          </>
        )}
        {lastExecution != null && (
          <>
            {' · '}
            <Anchor component={Link} to={`/executions/${lastExecution.id}`} underline="always">
              {words.execution}
            </Anchor>{' '}
            <Status status={lastExecution.status as AnyStatus} />
          </>
        )}
      </Text>
      {lastError !== null && (
        <Text size="sm" className="closed">
          {words.lastError}: {lastError}
        </Text>
      )}
    </div>
  );
}
