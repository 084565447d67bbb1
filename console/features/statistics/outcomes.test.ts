import { expect, test } from '@jest/globals';
import { outcomeParts, totalOf } from './outcomes.ts';

const counts = {
  ...{ PENDING: 1, RUNNING: 2, WAITING: 3, NEEDS_INPUT: 4 },
  ...{ COMPLETED: 50, FAILED: 6, CANCELLED: 0, TIMED_OUT: 1 },
};

test('a bar is stacked of what completed, what failed and what is open, without what is none', () => {
  expect(outcomeParts({ counts })).toEqual([
    { tone: 'good', count: 50 },
    { tone: 'bad', count: 7 },
    { tone: 'run', count: 10 },
  ]);
  expect(totalOf({ counts })).toBe(67);
});
