import { IconBan, IconCode, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Chip } from '../../ui/Chip.tsx';
import type { WorkflowRow } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

/** Shows one state, an inactive workflow is not also shown as paused; and whether a published one has a draft. */
export function WorkflowState({ workflow }: { workflow: WorkflowRow }) {
  const hasDraft = workflow.hasDraft === true && workflow.version !== null;
  return (
    <>
      <State workflow={workflow} />
      {hasDraft && (
        <Chip tone="wait" icon={IconPencil} title={words.draftMeans}>
          {words.draft}
        </Chip>
      )}
    </>
  );
}

function State({ workflow: { isActive, paused, version } }: { workflow: WorkflowRow }) {
  if (version === null) {
    return (
      <Chip tone="neutral" icon={IconPencil} title={words.unpublishedMeans}>
        {words.unpublished}
      </Chip>
    );
  }
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
