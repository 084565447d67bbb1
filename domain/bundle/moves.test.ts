import { expect, test } from '@jest/globals';
import { type Move, moveProblems, renamesOf } from './moves.ts';

const move = (from: string, to: string): Move => ({ kind: 'workflow', from, to });
const keys = (...slugs: string[]) => new Set(slugs.map((slug) => `workflow ${slug}`));
const renamed = (moves: Move[], ...stored: string[]) => {
  const { slugs, problems } = renamesOf(moves, keys(...stored));
  return { slugs: Object.fromEntries(slugs), problems: problems.map(({ path }) => path) };
};

test('a stored resource gets the slug of its move; one that is moved already, or absent, stays', () => {
  expect(renamed([move('a', 'b')], 'a', 'x')).toEqual({ slugs: { 'workflow a': 'b' }, problems: [] });
  expect(renamed([move('a', 'b')], 'b')).toEqual({ slugs: {}, problems: [] });
  expect(renamed([move('a', 'b')])).toEqual({ slugs: {}, problems: [] });
  expect(renamesOf([{ kind: 'queue', from: 'a', to: 'b' }], keys('a')).slugs.size).toBe(0);
});

test('follows moves of moves from any of their slugs', () => {
  const moves = [move('b', 'c'), move('a', 'b')];
  expect(moveProblems(moves, keys('c'))).toEqual([]);
  expect(renamed(moves, 'a').slugs).toEqual({ 'workflow a': 'c' });
  expect(renamed(moves, 'b').slugs).toEqual({ 'workflow b': 'c' });
});

test('reports two stored resources of one slug, at the later move', () => {
  expect(renamed([move('a', 'b')], 'a', 'b')).toEqual({ slugs: {}, problems: ['moved[0].from'] });
  expect(renamed([move('a', 'c'), move('b', 'c')], 'a', 'b')).toEqual({
    slugs: { 'workflow a': 'c' },
    problems: ['moved[1].from'],
  });
});

test('reports moves that contradict each other or the bundle', () => {
  const found = (moves: Move[], ...bundle: string[]) =>
    moveProblems(moves, keys(...bundle)).map(({ path, message }) => `${path}: ${message}`);
  expect(found([move('a', 'b')], 'b')).toEqual([]);
  expect(found([move('a', 'b')])).toEqual(['moved[0].to: there is no workflow b to move to']);
  expect(found([move('a', 'b')], 'a', 'b')).toEqual([
    'moved[0].from: workflow a is still there: expected it only under its new slug',
  ]);
  expect(found([move('a', 'a')], 'a')).toEqual(['moved[0].to: expected another slug than a']);
  expect(found([move('a', 'b'), move('a', 'c')], 'b', 'c')).toEqual(['moved[1].from: workflow a is moved twice']);
  expect(found([move('a', 'b'), move('b', 'a')])).toEqual([
    'moved[0].to: workflow b leads back to a',
    'moved[1].to: workflow a leads back to b',
  ]);
});
