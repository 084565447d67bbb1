import { expect, test } from '@jest/globals';
import { definitionOf, problemsOf } from './graphs.fixture.ts';

const note = (more: object = {}) => ({ id: 'n1', text: 'Ask Ada first', x: 10, y: -20, ...more });
const withNotes = (...notes: unknown[]) => ({ nodes: [], edges: [], notes });

test('notes are kept as they are, and their texts are no expressions', () => {
  const notes = [note({ width: 240, height: 100 }), note({ id: 'n2', text: '{{ not an expression' })];
  expect(definitionOf(withNotes(...notes)).notes).toEqual(notes);
  expect(definitionOf(withNotes())).not.toHaveProperty('notes');
  expect(definitionOf(withNotes(note({ text: '' }))).notes).toEqual([note({ text: '' })]);
});

test.each<[string, unknown[], string]>([
  ['no object', ['text'], 'notes[0]: expected a note, got text'],
  ['no place', [{ id: 'n1', text: 'a' }], 'notes[0].x: required'],
  ['no text', [{ id: 'n1', x: 0, y: 0 }], 'notes[0].text: required'],
  ['bad id', [note({ id: 'a b' })], 'notes[0].id: expected 1 to 64 letters'],
  ['two of an id', [note(), note()], 'notes[1].id: another note has the id n1'],
  ['too long', [note({ text: 'x'.repeat(2_001) })], 'notes[0].text: expected text of 1 to 2000 characters'],
  ['too far', [note({ x: 1_000_001 })], 'notes[0].x: expected a number from -1000000 to 1000000'],
  ['too small', [note({ width: 39 })], 'notes[0].width: expected a number from 40 to 2000'],
  ['unknown member', [note({ colour: 'red' })], 'notes[0].colour: a note has no such member'],
  [
    'too many',
    Array.from({ length: 51 }, (_, at) => note({ id: `n${at}` })),
    'notes: 51 notes, at most 50 are allowed',
  ],
])('a note with a mistake is refused at its place: %s', (_, notes, problem) => {
  expect(problemsOf(withNotes(...notes)).join('\n')).toContain(problem);
});
