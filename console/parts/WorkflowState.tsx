import { IconBan, IconCode, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { WorkflowRow } from '../data/workflows.ts';
import { WORKFLOWS } from '../words/en/workflows.ts';

const words = WORKFLOWS;

/** Whether it starts anything: icon, word and colour. An inactive one is not also paused to whoever looks. */
export function WorkflowState({ workflow: { isActive, paused } }: { workflow: WorkflowRow }) {
  const [tone, Icon, word] =
    isActive === false
      ? (['neutral', IconBan, words.inactive] as const)
      : paused === true
        ? (['ask', IconPlayerPause, words.paused] as const)
        : (['good', IconPlayerPlay, words.active] as const);
  return (
    <span className="state" data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** Says that people change its files, not the workflow here. */
export function ManagedByCode() {
  return (
    <span className="state" data-tone="wait" title={words.managedMeans}>
      <IconCode size={14} aria-hidden />
      {words.managed}
    </span>
  );
}
