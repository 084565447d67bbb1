import { Drawer, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, isProblem } from 'perdure-client';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Countdown, Moment } from '../../ui/time/Moment.tsx';
import { ItemData } from './ItemData.tsx';
import { ItemFacts } from './ItemFacts.tsx';
import { ItemErrors, ItemHistory } from './ItemHistory.tsx';
import { ItemMoves } from './ItemMoves.tsx';
import { ItemStatus } from './ItemStatus.tsx';
import { ItemWork } from './ItemWork.tsx';
import { isOfItem, useHeldItems } from './leaseMutations.ts';
import { itemName, oneItem } from './queries.ts';
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
