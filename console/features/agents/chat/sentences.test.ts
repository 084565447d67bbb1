import { expect, test } from '@jest/globals';
import { finishedPart } from './sentences.ts';

test('of a growing text the whole sentences are read', () => {
  expect(finishedPart('It left. It arr', false)).toBe('It left. ');
  expect(finishedPart('It left', false)).toBe('');
  expect(finishedPart('It costs 4.50 euro', false)).toBe('');
  expect(finishedPart('- one\n- tw', false)).toBe('- one\n');
  expect(finishedPart('“Yes.” Then', false)).toBe('“Yes.” ');
});

test('of a text that has ended all is read', () => {
  expect(finishedPart('It left. It arr', true)).toBe('It left. It arr');
});
