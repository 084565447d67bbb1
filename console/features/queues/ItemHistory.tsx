import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ME } from '../../app/api/me.ts';
import { personId } from '../../app/storage/personId.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { Value } from '../values/Value.tsx';
import { ItemStatus } from './ItemStatus.tsx';
import { type QueueItem, readItemField } from './queries.ts';
import { useWorkerName } from './useWorkerName.ts';
import { QUEUES } from './words.ts';

const words = QUEUES.item;

type By = NonNullable<QueueItem['history']>[number]['by'];

export function ItemHistory({ item }: { item: QueueItem }) {
  const { id, history, historyLink, historyBytes } = item;
  const queueId = item.queue?.id ?? '';
  if (historyLink !== undefined)
    return <Value value={null} bytes={historyBytes} load={() => readItemField(queueId, id, 'history')} />;
  if (history === undefined || history.length === 0) return <Text>{words.noHistory}</Text>;
  return (
    <ol className="item-history" aria-label={words.history}>
      {history.map(({ from, to, by, at, note, worker, executionId }, index) => (
        <li key={index}>
          <div>
            {from !== to && <ItemStatus status={from} />} → <ItemStatus status={to} />
          </div>
          <Text size="sm">
            <Moment at={at} />, <Who by={by} worker={worker} executionId={executionId} />
          </Text>
          {note !== null && <Text size="sm">“{note}”</Text>}
        </li>
      ))}
    </ol>
  );
}

export function ItemErrors({ item }: { item: QueueItem }) {
  const { id, errorHistory, errorHistoryLink, errorHistoryBytes } = item;
  const queueId = item.queue?.id ?? '';
  if (errorHistoryLink !== undefined) {
    return <Value value={null} bytes={errorHistoryBytes} load={() => readItemField(queueId, id, 'errorHistory')} />;
  }
  if (errorHistory === undefined || errorHistory.length === 0) return <Text>{words.noErrors}</Text>;
  return (
    <ol className="item-history" aria-label={words.errors}>
      {errorHistory.map(({ id, message, code, details, attempt, executionId, by, at }) => (
        <li key={id}>
          <Text>
            {code !== null && <Code>{code}</Code>} {message}
          </Text>
          <Text size="sm">
            {words.attempt(attempt)}, <Moment at={at} />, <Who by={by} worker={null} executionId={executionId} />
          </Text>
          {details !== null && details !== undefined && <Value value={details} />}
        </li>
      ))}
    </ol>
  );
}

function Who({ by, worker, executionId }: { by: By; worker: string | null; executionId: string | null }) {
  const { data: me } = useQuery(ME);
  const isMe = me !== undefined && by?.id === personId(me);
  const { name } = useWorkerName(worker);
  if (executionId !== null) {
    return (
      <Anchor component={Link} to={`/executions/${executionId}`} underline="always" size="sm">
        {words.by.execution}
      </Anchor>
    );
  }
  return (
    <>
      {isMe ? words.you : by === null ? (name ?? words.by.platform) : words.by[by.type]}
      {!isMe && by !== null && name !== undefined && ` (${name})`}
    </>
  );
}
