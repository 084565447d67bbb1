import { expect, test } from '@jest/globals';
import { isMet } from './goal.ts';

test.each([
  [{ of: 'ours', atMost: 3 }, { ours: 3, ratio: 9 }, true],
  [{ of: 'ours', atMost: 3 }, { ours: 3.1, ratio: 0.1 }, false],
  [{ of: 'ratio', atMost: 1.3 }, { ours: 900, ratio: 1.3 }, true],
  [{ of: 'ratio', atLeast: 0.7 }, { ours: 900, ratio: 0.69 }, false],
  [{ of: 'ratio', atLeast: 0.7 }, { ours: 900, ratio: 0.7 }, true],
  [{ of: 'difference', atMost: 60 }, { ours: 70, ratio: 7, difference: 60 }, true],
  [{ of: 'difference', atMost: 60 }, { ours: 71, ratio: 7, difference: 61 }, false],
  [{ of: 'ratio', atMost: 1.3 }, { ours: 1 }, false],
] as const)('%j of %j: %s', (goal, figures, expected) => {
  expect(isMet(goal, figures)).toBe(expected);
});
