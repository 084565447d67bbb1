import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ProblemAlert } from '../../../ui/problem/ProblemAlert.tsx';
import type { DraftChange } from '../model/draft.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR;

interface ChangesDialogProps extends Changes {
  /** The changes are those since the published version, otherwise those since the saved draft. */
  isPublished: boolean;
  /** Absent if no draft is stored that a published version can replace. */
  onDiscard: (() => Promise<void>) | undefined;
  onClose: () => void;
}

export function ChangesDialog({ isPublished, onDiscard, onClose, ...changes }: ChangesDialogProps) {
  const discard = useMutation({ mutationFn: async () => await onDiscard?.(), onSuccess: onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside
      title={isPublished ? words.changesTitle.published : words.changesTitle.saved}
      size="lg"
    >
      <Stack>
        <ChangeList {...changes} />
        {discard.error !== null && <ProblemAlert error={discard.error} />}
        {onDiscard !== undefined && (
          <div>
            <Button variant="default" c="var(--ink-bad)" loading={discard.isPending} onClick={() => discard.mutate()}>
              {words.discardDraft}
            </Button>
            <Text size="sm" mt={4}>
              {words.discardMeans}
            </Text>
          </div>
        )}
      </Stack>
    </Modal>
  );
}

const SHOWN = 400;

interface Changes {
  changes: DraftChange[];
  /** The number of nodes whose position differs. */
  moved: number;
}

export function ChangeList({ changes, moved }: Changes) {
  return (
    <Stack gap="sm" component="ul" className="editor-changes">
      {changes.map(({ kind, path, from, to }) => (
        <li key={path}>
          <Text size="sm" fw={600}>
            {{ added: words.added, removed: words.removed, changed: words.changedTo }[kind](path)}
          </Text>
          {kind !== 'added' && <pre className="json editor-was">− {textOf(from)}</pre>}
          {kind !== 'removed' && <pre className="json editor-is">+ {textOf(to)}</pre>}
        </li>
      ))}
      {moved > 0 && (
        <li>
          <Text size="sm">{words.moved(moved)}</Text>
        </li>
      )}
    </Stack>
  );
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
