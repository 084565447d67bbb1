import { Modal, Stack, Text } from '@mantine/core';
import type { DraftChange } from '../model/draft.ts';
import { EDITOR } from '../words.ts';

const words = EDITOR;

export function ChangesDialog({ onClose, ...changes }: Changes & { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside title={words.changesTitle} size="lg">
      <ChangeList {...changes} />
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
