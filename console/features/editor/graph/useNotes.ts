import type { Node, NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useState } from 'react';
import type { Definition, Note } from '../../../../domain/workflow/definition.ts';
import type { Place } from '../../../ui/graph/graphShape.ts';
import { EDITOR } from '../words.ts';
import { movesIn, pickedBy } from './flowChanges.ts';

type Data = Pick<Note, 'text'> & { isReadOnly: boolean } & Record<string, unknown>;
export type NoteNode = Node<Data, 'note'>;

const PREFIX = 'note ';
const SIZE = { width: 200, height: 100 };
const NONE: readonly Note[] = [];

type ChangeDefinition = (update: (definition: Definition) => Definition, about?: string) => void;

/** The id of a note, if React Flow's node is one. */
export const noteIdOf = (id: string): string | undefined =>
  id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;

/** Makes the nodes of notes, which are behind all others, and applies React Flow's changes to them. */
export function useNotes(notes: readonly Note[] = NONE, isReadOnly: boolean, changeDefinition: ChangeDefinition) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  /** Places and sizes while notes are dragged. */
  const [moving, setMoving] = useState<ReadonlyMap<string, Partial<Place>>>(new Map());
  const nodes = useMemo(
    () =>
      notes.map((note) => noteNode({ ...note, ...moving.get(note.id) }, chosen.includes(PREFIX + note.id), isReadOnly)),
    [notes, moving, chosen, isReadOnly],
  );
  const change = useCallback(
    (changes: readonly NodeChange[]) => {
      setChosen((now) => pickedBy(changes, now));
      const { places, isOver } = movesIn(changes);
      const moved = new Map([...places].map(([id, place]) => [noteIdOf(id) ?? id, rounded(place)]));
      if (moved.size === 0 || isReadOnly) return;
      if (!isOver) return setMoving(moved);
      setMoving(new Map());
      changeDefinition((now) => withChanged(now, moved), 'move notes');
    },
    [isReadOnly, changeDefinition],
  );
  const remove = useCallback(
    (ids: readonly string[]) =>
      changeDefinition(({ notes: all = [], ...rest }) => ({
        ...rest,
        notes: all.filter(({ id }) => !ids.includes(PREFIX + id)),
      })),
    [changeDefinition],
  );
  const add = useCallback(
    (at: { x: number; y: number }) => {
      const id = freeId(notes);
      const place = { x: Math.round(at.x - SIZE.width / 2), y: Math.round(at.y - SIZE.height / 2) };
      changeDefinition((now) => ({ ...now, notes: [...(now.notes ?? []), { id, text: '', ...place }] }));
      setChosen([PREFIX + id]);
      return id;
    },
    [notes, changeDefinition],
  );
  return { nodes, chosen, change, remove, add };
}

function noteNode(note: Note, selected: boolean, isReadOnly: boolean): NoteNode {
  const { id, text, x, y, width = SIZE.width, height = SIZE.height } = note;
  return {
    ...{ id: `${PREFIX}${id}`, type: 'note', data: { text, isReadOnly }, position: { x, y }, width, height, selected },
    ...{ zIndex: -1, connectable: false, draggable: !isReadOnly },
    ariaLabel: EDITOR.graph.noteIs(text.slice(0, 80)),
  };
}

const rounded = (place: Partial<Place>): Partial<Place> =>
  Object.fromEntries(Object.entries(place).map(([member, value]) => [member, Math.round(value)]));

function withChanged(definition: Definition, changed: ReadonlyMap<string, Partial<Place>>): Definition {
  const { notes = [] } = definition;
  return { ...definition, notes: notes.map((note) => ({ ...note, ...changed.get(note.id) })) };
}

function freeId(notes: readonly Note[]): string {
  const taken = new Set(notes.map(({ id }) => id));
  let number = 1;
  while (taken.has(`n${number}`)) number += 1;
  return `n${number}`;
}
