import { IconBan, IconCode, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Chip } from '../../ui/Chip.tsx';
import type { WorkflowRow } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

/** Shows one state: an inactive workflow is not also shown as paused. */
export function WorkflowState({ workflow: { isActive, paused } }: { workflow: WorkflowRow }) {
  const [tone, icon, word] =
    isActive === false
      ? (['neutral', IconBan, words.inactive] as const)
      : paused === true
        ? (['ask', IconPlayerPause, words.paused] as const)
        : (['good', IconPlayerPlay, words.active] as const);
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}

export function ManagedByCode() {
  return (
    <Chip tone="wait" icon={IconCode} title={words.managedMeans}>
      {words.managed}
    </Chip>
  );
}
