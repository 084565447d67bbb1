import { IconAlertTriangle, IconCheck, IconHandStop, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { LatestRun } from '../../data/tasks.ts';
import { CHAT } from '../../words/en/agents.ts';
import type { Tone } from '../Chip.tsx';

const SHOWN: Record<LatestRun['status'], { tone: Tone; icon: typeof IconCheck }> = {
  RUNNING: { tone: 'run', icon: IconPlayerPlay },
  COMPLETED: { tone: 'good', icon: IconCheck },
  FAILED: { tone: 'bad', icon: IconAlertTriangle },
  STOPPED: { tone: 'neutral', icon: IconPlayerStop },
  NEEDS_APPROVAL: { tone: 'ask', icon: IconHandStop },
};

/** The state of a turn as icon, word and colour. */
export function RunState({ status }: { status: LatestRun['status'] }) {
  const { tone, icon: Icon } = SHOWN[status];
  return (
    <span className="state" data-tone={tone}>
      <Icon size={14} aria-hidden />
      {CHAT.runs[status]}
    </span>
  );
}
