import { expect, test } from '@jest/globals';
import { Shares } from './shares.ts';

function taken(shares: Shares, key: string): number {
  while (shares.take(key));
  return shares.held(key);
}

test('the first workspace takes half, each next one half of the rest, and the last finds none', () => {
  const shares = new Shares(200);
  expect(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((key) => taken(shares, key))).toEqual([
    100, 50, 25, 13, 6, 3, 2, 1, 0,
  ]);
});

test('any number of places has one for the first', () => {
  expect([1, 2, 3].map((count) => taken(new Shares(count), 'a'))).toEqual([1, 1, 2]);
});

test('a returned place is free', () => {
  const shares = new Shares(2);
  expect(['a', 'b', 'a', 'c'].map((key) => shares.take(key))).toEqual([true, true, false, false]);
  shares.giveBack('b');
  expect([shares.held('b'), shares.take('c')]).toEqual([0, true]);
});
