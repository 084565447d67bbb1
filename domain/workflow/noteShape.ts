import { kindOfJson } from '../fieldType.ts';
import { isJsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import type { Note } from './definition.ts';
import { NODE_ID } from './nodeId.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const MAX_NOTES = 50;
const MAX_NOTE_LENGTH = 2_000;
const MAX_PLACE = 1_000_000;
const SIZE = { min: 40, max: 2_000 };

export function readNotes(outer: Shape, problems: Problems): Note[] | undefined {
  const list = outer.list('notes');
  if (list === undefined) return undefined;
  if (list.length > MAX_NOTES) {
    outer.problem('notes', `${list.length} notes, at most ${MAX_NOTES} are allowed`);
    return undefined;
  }
  const ids = new Set<string>();
  const notes = list.flatMap((candidate, index) => {
    const path = pathTo('notes', index);
    if (isJsonObject(candidate)) return readNote(new Shape(candidate, path, problems), ids) ?? [];
    problems.add(path, `expected a note, got ${kindOfJson(candidate)}`);
    return [];
  });
  return notes.length === 0 ? undefined : notes;
}

function readNote(shape: Shape, ids: Set<string>): Note | undefined {
  const id = shape.text('id', 64);
  if (id !== undefined && !NODE_ID.test(id)) shape.problem('id', 'expected 1 to 64 letters, digits, _ and -');
  if (id !== undefined && ids.has(id)) shape.problem('id', `another note has the id ${id}`);
  if (id !== undefined) ids.add(id);
  // An empty note is one that nobody has written yet.
  const text = shape.take('text') === '' ? '' : shape.text('text', MAX_NOTE_LENGTH);
  const x = placeOf(shape, 'x');
  const y = placeOf(shape, 'y');
  const width = sizeOf(shape, 'width');
  const height = sizeOf(shape, 'height');
  for (const member of ['id', 'text', 'x', 'y']) if (!shape.has(member)) shape.problem(member, 'required');
  shape.refuseOthers('a note');
  if (id === undefined || text === undefined || x === undefined || y === undefined) return undefined;
  return { id, text, x, y, ...memberIfPresent('width', width), ...memberIfPresent('height', height) };
}

const placeOf = (shape: Shape, member: string) =>
  shape.number(member, `a number from -${MAX_PLACE} to ${MAX_PLACE}`, (value) => Math.abs(value) <= MAX_PLACE);

const sizeOf = (shape: Shape, member: string) =>
  shape.number(member, `a number from ${SIZE.min} to ${SIZE.max}`, (value) => value >= SIZE.min && value <= SIZE.max);
