import { IconAlertTriangle, IconCheck, IconHandStop, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { Chip, type Tone } from '../../../ui/Chip.tsx';
import type { LatestRun } from './queries.ts';
import { CHAT } from './words.ts';

const SHOWN: Record<LatestRun['status'], { tone: Tone; icon: typeof IconCheck }> = {
  RUNNING: { tone: 'run', icon: IconPlayerPlay },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  STOPPED: { tone: 'neutral', icon: IconPlayerStop },
  NEEDS_APPROVAL: { tone: 'ask', icon: IconHandStop },
};

export function RunState({ status }: { status: LatestRun['status'] }) {
  const { tone, icon } = SHOWN[status];
  return (
    <Chip tone={tone} icon={icon}>
      {CHAT.runs[status]}
    </Chip>
  );
}
