import type { EdgeChange, NodeChange } from '@xyflow/react';
import type { Place } from '../../../ui/graph/graphShape.ts';

/** Applies React Flow's selections. Returns the same list if nothing changes. */
export function pickedBy(changes: readonly (NodeChange | EdgeChange)[], before: readonly string[]): readonly string[] {
  const picked = new Set(before);
  for (const change of changes) {
    if (change.type !== 'select') continue;
    if (change.selected) picked.add(change.id);
    else picked.delete(change.id);
  }
  return picked.size === before.length && before.every((id) => picked.has(id)) ? before : [...picked];
}

interface Moves {
  /** New positions and sizes by id. */
  places: Map<string, Partial<Place>>;
  /** Dragging has ended. */
  isOver: boolean;
}

export function movesIn(changes: readonly NodeChange[]): Moves {
  const places: Moves['places'] = new Map();
  let isOver = false;
  for (const change of changes) {
    if (change.type === 'position' && change.position !== undefined) {
      places.set(change.id, { ...places.get(change.id), ...change.position });
      isOver ||= change.dragging !== true;
    }
    // Without `resizing`, React Flow reports the size that it has measured.
    if (change.type === 'dimensions' && change.dimensions !== undefined && change.resizing !== undefined) {
      places.set(change.id, { ...places.get(change.id), ...change.dimensions });
      isOver ||= !change.resizing;
    }
  }
  return { places, isOver };
}
