import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findCircle } from './circle.ts';

function circleOf(graph: Record<string, string[]>, start = 'a'): string | undefined {
  return findCircle(start, (from) => graph[from] ?? [])?.join(' → ');
}

test.each([
  ['itself', { a: ['a'] }, 'a → a'],
  ['each other', { a: ['b'], b: ['a'] }, 'a → b → a'],
  ['a circle further on', { a: ['b'], b: ['c'], c: ['b'] }, 'a → b → c → b'],
  ['the second way', { a: ['b', 'c'], b: ['d'], c: ['a'] }, 'a → c → a'],
])('%s', (_name, graph, path) => {
  expect(circleOf(graph)).toBe(path);
});

test('two ways to one place are no circle, nor is an unreachable circle', () => {
  expect(circleOf({ a: ['b', 'c'], b: ['d'], c: ['d'], x: ['x'] })).toBeUndefined();
});

test('many ways are walked once each', () => {
  const levels = 60;
  const next = (from: string) => {
    const level = Number(from.slice(1));
    return level === levels ? [] : [`l${level + 1}`, `r${level + 1}`];
  };
  expect(findCircle('l0', next)).toBeUndefined();
});

test('finds one exactly if a walk with as many steps as places can continue', () => {
  const places = ['a', 'b', 'c', 'd', 'e'];
  const arrows = fc.uniqueArray(fc.tuple(fc.constantFrom(...places), fc.constantFrom(...places)), {
    selector: ([from, to]) => `${from}${to}`,
  });
  fc.assert(
    fc.property(arrows, (edges) => {
      const next = (from: string) => edges.filter(([source]) => source === from).map(([, target]) => target);
      let reached = new Set(['a']);
      for (let step = 0; step < places.length; step++) reached = new Set([...reached].flatMap(next));
      const circle = findCircle('a', next);
      expect(circle !== undefined).toBe(reached.size > 0);
      if (!circle) return;
      expect(circle[0]).toBe('a');
      circle.slice(1).forEach((to, index) => {
        expect(next(circle[index] as string)).toContain(to);
      });
      expect(circle.indexOf(circle.at(-1) as string)).toBeLessThan(circle.length - 1);
    }),
  );
});
