import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evenShare, iterationsPerChild } from './loopShares.ts';

/** As a workflow has it: what its loops may leave in its history. */
function budgetOf(events: number) {
  let left = events;
  return {
    takeIterations(most: number, eventsEach: number) {
      const taken = Math.min(most, Math.floor(left / eventsEach));
      left -= taken * eventsEach;
      return taken;
    },
  };
}

interface Divided {
  /** Iterations that workflows run themselves, in order. */
  leaves: number[];
  /** Of one workflow, at most. */
  mostChildren: number;
  depth: number;
}

/** The whole tree of workflows; each but the first has a history of its own. */
function divide(iterations: number, size: number, events: number): Divided {
  const each = iterationsPerChild(iterations, size, budgetOf(events));
  const divided: Divided = { leaves: [], mostChildren: Math.ceil(iterations / each), depth: 1 };
  for (let from = 0; from < iterations; from += each) {
    const share = Math.min(each, iterations - from);
    if (share <= size) {
      divided.leaves.push(share);
      continue;
    }
    const below = divide(share, size, 5_000);
    divided.leaves.push(...below.leaves);
    divided.mostChildren = Math.max(divided.mostChildren, below.mostChildren);
    divided.depth = Math.max(divided.depth, below.depth + 1);
  }
  return divided;
}

it('divides any loop so that no workflow has many children, however little room its history has', () => {
  const cases = fc.tuple(
    fc.integer({ min: 1, max: 100_000 }),
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 0, max: 5_000 }),
  );
  fc.assert(
    fc.property(cases, ([iterations, size, events]) => {
      const { leaves, mostChildren, depth } = divide(iterations, size, events);
      expect(leaves.reduce((sum, each) => sum + each, 0)).toBe(iterations);
      expect(Math.max(...leaves)).toBeLessThanOrEqual(size);
      expect(mostChildren).toBeLessThanOrEqual(400);
      expect(depth).toBeLessThanOrEqual(3);
    }),
    { numRuns: 50 },
  );
});

it('needs one level for what it has room for', () => {
  expect(divide(40_000, 100, 5_000)).toMatchObject({ depth: 1, mostChildren: 400 });
  expect(divide(100_000, 100, 5_000)).toMatchObject({ depth: 2, mostChildren: 334 });
  expect(divide(100_000, 1, 5_000)).toMatchObject({ depth: 2, mostChildren: 400 });
  expect(divide(100_000, 1, 0)).toMatchObject({ depth: 3, mostChildren: 400 });
});

it('gives every lane as many shares, and no share more than a child takes', () => {
  const positive = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(positive(100_000), positive(500), positive(10), fc.boolean(), (iterations, most, lanes, inAll) => {
      const fewest = inAll ? lanes : 1;
      const each = evenShare(iterations, most, lanes, fewest);
      expect(each).toBeLessThanOrEqual(most);
      const shares = Math.ceil(iterations / each);
      // Rounding up may leave the last ones empty where a share is a few iterations.
      if (shares > 1 && each > lanes)
        expect(Math.ceil(shares / lanes)).toBe(Math.ceil(Math.ceil(iterations / most) / lanes));
      if (iterations <= most && !inAll) expect(each).toBe(iterations);
      if (inAll && iterations >= lanes ** 2) expect(shares).toBeGreaterThanOrEqual(lanes);
    }),
  );
  expect([evenShare(1_000, 500, 2), evenShare(600, 500, 2), evenShare(1_100, 500, 2)]).toEqual([500, 300, 275]);
  expect([evenShare(101, 500, 4, 4), evenShare(41, 500, 3, 3)]).toEqual([26, 14]);
});
