import { Anchor, Button, Code, Drawer, Group, Stack, Tabs, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Answer, isProblem } from 'perdure-client';
import { useState } from 'react';
import { ME } from '../../app/api/me.ts';
import { personId } from '../../app/storage/personId.ts';
import { CodeEditor } from '../../ui/code/CodeEditor.tsx';
import { parsedObject } from '../../ui/code/jsonText.ts';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Countdown, Moment } from '../../ui/time/Moment.tsx';
import { Value } from '../values/Value.tsx';
import { ItemMoves } from './ItemMoves.tsx';
import { ItemFacts, ItemWork } from './ItemWork.tsx';
import { isOfItem, useHeldItems } from './leaseMutations.ts';
import { changeItemData } from './mutations.ts';
import { ItemStatus } from './QueueStatus.tsx';
import { itemName, oneItem, type QueueItem, readItemField, refreshQueues } from './queries.ts';
import { useWorkerName } from './useWorkerName.ts';
import { QUEUES } from './words.ts';

const { tabs, ...words } = QUEUES.item;

interface ItemDrawerProps {
  queue: Answer<'getQueue'>;
  itemId: string;
  mayWrite: boolean;
  onClose: () => void;
}

export function ItemDrawer({ queue, itemId, mayWrite, onClose }: ItemDrawerProps) {
  const query = useQuery(oneItem(queue.id, itemId));
  const held = useHeldItems().find(isOfItem({ queueId: queue.id, itemId }));
  const { data: item, error } = query;
  const { name: holder } = useWorkerName(item?.lease?.worker);
  const isMissing = isProblem(error) && error.status === 404;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={words.title(item === undefined ? (held?.name ?? '') : itemName(item))}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {isMissing && <Text>{words.notFound}</Text>}
      {error !== null && !isMissing && <ProblemAlert error={error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {item !== undefined && (
        <>
          <Text size="sm" component="div" mb="sm">
            <ItemStatus status={item.status} /> {words.created} <Moment at={item.createdAt} />
            {item.status === 'PROCESSING' && item.lease != null && held === undefined && (
              <>
                {' · '}
                {words.heldBy(holder ?? words.heldByNameless)}, {words.until} <Countdown at={item.lease.expiresAt} />
              </>
            )}
            {item.status === 'RETRYING' && item.nextRetryAt != null && (
              <>
                {' · '}
                {words.dueAt} <Moment at={item.nextRetryAt} />
              </>
            )}
          </Text>
          <Tabs defaultValue="work" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="work">{tabs.work}</Tabs.Tab>
              <Tabs.Tab value="history">{tabs.history}</Tabs.Tab>
              <Tabs.Tab value="errors">{tabs.errors}</Tabs.Tab>
              <Tabs.Tab value="json">{tabs.json}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="work" pt="sm">
              {held !== undefined && mayWrite ? (
                <ItemWork item={held} isTitled={false} onEnded={onClose} />
              ) : (
                <>
                  <ItemFacts item={item} />
                  {mayWrite && <ItemMoves queue={queue} item={item} onRemoved={onClose} />}
                </>
              )}
            </Tabs.Panel>
            <Tabs.Panel value="history" pt="sm">
              <ItemHistory item={item} />
            </Tabs.Panel>
            <Tabs.Panel value="errors" pt="sm">
              <ItemErrors item={item} />
            </Tabs.Panel>
            <Tabs.Panel value="json" pt="sm">
              <ItemData queueId={queue.id} item={item} mayWrite={mayWrite} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Drawer>
  );
}

type By = NonNullable<QueueItem['history']>[number]['by'];

function ItemHistory({ item }: { item: QueueItem }) {
  const { id, history, historyLink, historyBytes } = item;
  const queueId = item.queue?.id ?? '';
  if (historyLink !== undefined)
    return <Value value={null} bytes={historyBytes} load={() => readItemField(queueId, id, 'history')} />;
  if (history === undefined || history.length === 0) return <Text>{QUEUES.item.noHistory}</Text>;
  return (
    <ol className="item-history" aria-label={QUEUES.item.history}>
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

function ItemErrors({ item }: { item: QueueItem }) {
  const { id, errorHistory, errorHistoryLink, errorHistoryBytes } = item;
  const queueId = item.queue?.id ?? '';
  if (errorHistoryLink !== undefined) {
    return <Value value={null} bytes={errorHistoryBytes} load={() => readItemField(queueId, id, 'errorHistory')} />;
  }
  if (errorHistory === undefined || errorHistory.length === 0) return <Text>{QUEUES.item.noErrors}</Text>;
  return (
    <ol className="item-history" aria-label={QUEUES.item.errors}>
      {errorHistory.map(({ id, message, code, details, attempt, executionId, by, at }) => (
        <li key={id}>
          <Text>
            {code !== null && <Code>{code}</Code>} {message}
          </Text>
          <Text size="sm">
            {QUEUES.item.attempt(attempt)}, <Moment at={at} />, <Who by={by} worker={null} executionId={executionId} />
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
        {QUEUES.item.by.execution}
      </Anchor>
    );
  }
  return (
    <>
      {isMe ? QUEUES.item.you : by === null ? (name ?? QUEUES.item.by.platform) : QUEUES.item.by[by.type]}
      {!isMe && by !== null && name !== undefined && ` (${name})`}
    </>
  );
}

interface ItemDataProps {
  queueId: string;
  item: QueueItem;
  mayWrite: boolean;
}

function ItemData({ queueId, item: { id, data, dataLink, dataBytes }, mayWrite }: ItemDataProps) {
  const queries = useQueryClient();
  const stored = JSON.stringify(data, null, 2);
  const [text, setText] = useState(stored);
  const parsed = parsedObject(text);
  const save = useMutation({
    mutationFn: (value: Record<string, unknown>) => changeItemData(queueId, id, value),
    onSuccess: () => {
      done(QUEUES.item.saved);
      void refreshQueues(queries);
    },
  });
  if (dataLink !== undefined) {
    return <Value value={null} bytes={dataBytes} load={() => readItemField(queueId, id, 'data')} />;
  }
  return (
    <Stack gap="xs">
      <CodeEditor
        language="json"
        label={QUEUES.item.tabs.json}
        value={text}
        {...(mayWrite ? { onChange: setText } : {})}
        minHeight="14rem"
      />
      {parsed === undefined && <Text role="alert">{QUEUES.add.notObject}</Text>}
      {save.error !== null && <ProblemAlert error={save.error} />}
      {mayWrite && (
        <Group>
          <Button
            loading={save.isPending}
            disabled={parsed === undefined || text === stored}
            onClick={() => parsed !== undefined && save.mutate(parsed)}
          >
            {QUEUES.item.save}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
