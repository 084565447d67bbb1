import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import type { ItemStatus as Status } from '../../../domain/queue/itemStatus.ts';
import { Chip, type Tone } from '../../ui/Chip.tsx';
import { QUEUES } from './words.ts';

const SHOWN: Record<Status, { tone: Tone; icon: typeof IconCheck }> = {
  PENDING: { tone: 'neutral', icon: IconClock },
  PROCESSING: { tone: 'run', icon: IconPlayerPlay },
  RETRYING: { tone: 'wait', icon: IconRefresh },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  CANCELLED: { tone: 'neutral', icon: IconBan },
};

export const itemTone = (status: Status): Tone => SHOWN[status].tone;

/** The state of an item as icon, word and colour. */
export function ItemStatus({ status }: { status: Status }) {
  const { tone, icon } = SHOWN[status];
  return (
    <Chip tone={tone} icon={icon}>
      {QUEUES.status[status]}
    </Chip>
  );
}
