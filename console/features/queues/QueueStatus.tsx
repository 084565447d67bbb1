import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { ITEM_STATUSES, type ItemStatus as Status } from '../../../domain/queue/itemStatus.ts';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import type { QueueRow } from './queries.ts';
import { QUEUES } from './words.ts';

const SHOWN: Record<Status, { tone: Tone; icon: typeof IconCheck }> = {
  PENDING: { tone: 'neutral', icon: IconClock },
  PROCESSING: { tone: 'run', icon: IconPlayerPlay },
  RETRYING: { tone: 'wait', icon: IconRefresh },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  CANCELLED: { tone: 'neutral', icon: IconBan },
};

const itemTone = (status: Status): Tone => SHOWN[status].tone;

export function ItemStatus({ status }: { status: Status }) {
  const { tone, icon } = SHOWN[status];
  return (
    <Chip tone={tone} icon={icon}>
      {QUEUES.status[status]}
    </Chip>
  );
}

export function ItemCounts({ counts }: { counts: Record<Status, number> }) {
  const present = ITEM_STATUSES.map((status) => ({ status, count: counts[status] })).filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <>{QUEUES.noItems}</>;
  return (
    <div className="item-counts">
      <div className="item-bar" aria-hidden>
        {present.map(({ status, count }) => (
          <span key={status} data-tone={itemTone(status)} style={{ flexGrow: count }} />
        ))}
      </div>
      <span className="item-words">
        {present
          .map(({ status, count }) => `${count.toLocaleString('en')} ${QUEUES.status[status].toLowerCase()}`)
          .join(', ')}
      </span>
    </div>
  );
}

export function QueueState({ queue }: { queue: Pick<QueueRow, 'isActive' | 'deletedAt'> }) {
  if (queue.deletedAt != null) return <Badge variant="default">{QUEUES.deleted}</Badge>;
  return <Chip tone={queue.isActive ? 'good' : 'wait'}>{queue.isActive ? QUEUES.active : QUEUES.paused}</Chip>;
}
