import {
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconClock,
  IconClockX,
  IconHandStop,
  IconHourglass,
  IconPlayerPlay,
  IconRefresh,
} from '@tabler/icons-react';
import type { components } from 'perdure-client';
import { Chip, type Tone } from './Chip.tsx';
import { WORDS } from './words/words.ts';

export type AnyStatus = components['schemas']['ExecutionStatus'] | components['schemas']['ExecutionStep']['status'];

const SHOWN: Record<AnyStatus, { tone: Tone; icon: typeof IconCheck }> = {
  PENDING: { tone: 'neutral', icon: IconClock },
  QUEUED: { tone: 'neutral', icon: IconClock },
  RUNNING: { tone: 'run', icon: IconPlayerPlay },
  RETRYING: { tone: 'run', icon: IconRefresh },
  WAITING: { tone: 'wait', icon: IconHourglass },
  NEEDS_INPUT: { tone: 'ask', icon: IconHandStop },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  TIMED_OUT: { tone: 'bad', icon: IconClockX },
  CANCELLED: { tone: 'neutral', icon: IconBan },
};

export function toneOf(status: AnyStatus): Tone {
  return SHOWN[status].tone;
}

export function Status({ status }: { status: AnyStatus }) {
  const { tone, icon } = SHOWN[status];
  return (
    <Chip tone={tone} icon={icon}>
      {WORDS.status[status]}
    </Chip>
  );
}
