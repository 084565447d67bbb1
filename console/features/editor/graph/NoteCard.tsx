import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type NodeProps, NodeResizeControl } from '@xyflow/react';
import { useEditing } from '../editing/Editing.tsx';
import { EDITOR } from '../words.ts';
import { type NoteNode, noteIdOf } from './useNotes.ts';

const words = EDITOR.graph;
const MAX_NOTE_LENGTH = 2_000;

/** A note on the canvas. Its text is written in place. */
export function NoteCard({ id, data: { isReadOnly } }: NodeProps<NoteNode>) {
  const { draft, changeDefinition } = useEditing();
  const noteId = noteIdOf(id);
  // React Flow renders later than the field changes, which would move the cursor.
  const text = draft.definition.notes?.find((note) => note.id === noteId)?.text ?? '';
  const write = (written: string) =>
    changeDefinition(
      ({ notes = [], ...rest }) => ({
        ...rest,
        notes: notes.map((note) => (note.id === noteId ? { ...note, text: written } : note)),
      }),
      `note ${noteId}`,
    );
  return (
    <div className="editor-note">
      <textarea
        className="nodrag nowheel"
        aria-label={words.note}
        maxLength={MAX_NOTE_LENGTH}
        readOnly={isReadOnly}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') currentTarget.closest<HTMLElement>('.react-flow__node')?.focus();
        }}
      />
      {!isReadOnly && (
        <>
          <ActionIcon
            className="nodrag editor-note-remove"
            variant="transparent"
            size={24}
            c="inherit"
            aria-label={words.removeNote}
            onClick={() =>
              changeDefinition(({ notes = [], ...rest }) => ({
                ...rest,
                notes: notes.filter((note) => note.id !== noteId),
              }))
            }
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
          <NodeResizeControl
            minWidth={80}
            minHeight={60}
            maxWidth={2_000}
            maxHeight={2_000}
            className="editor-note-corner"
          />
        </>
      )}
    </div>
  );
}
