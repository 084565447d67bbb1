import { Alert, Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type AnyStatus, Status } from '../../ui/Status.tsx';
import { Value } from '../values/Value.tsx';
import { WordsOf } from '../values/WordsOf.tsx';
import { type QueueItem, readItemField } from './queries.ts';
import { ITEM_WORK } from './words.ts';

const words = ITEM_WORK;

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
        <WordsOf value={data} nothing={words.noData} label={words.data} />
      ) : (
        <Value value={data} bytes={dataBytes} load={whole('data')} />
      )}
      {(hasMetadata || metadataLink !== undefined) && (
        <>
          <Title order={3} size="h6" mt="sm">
            {words.metadata}
          </Title>
          {metadataLink === undefined ? (
            <WordsOf value={metadata} nothing={words.noData} label={words.metadata} />
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
