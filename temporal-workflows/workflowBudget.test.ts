import { expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { evenSlice, iterationsPerChild, lanesFor } from './workflowBudget.ts';

/** The budget of a workflow for the events of its loops. */
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
  /** Most children of one workflow. */
  mostChildren: number;
  depth: number;
}

/** The whole tree of workflows; each but the first has a history of its own. */
function divide(iterations: number, size: number, events: number): Divided {
  const each = iterationsPerChild(iterations, size, budgetOf(events));
  const divided: Divided = { leaves: [], mostChildren: Math.ceil(iterations / each), depth: 1 };
  for (let from = 0; from < iterations; from += each) {
    const slice = Math.min(each, iterations - from);
    if (slice <= size) {
      divided.leaves.push(slice);
      continue;
    }
    const below = divide(slice, size, 5_000);
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

it('needs one level for a slice that fits', () => {
  expect(divide(40_000, 100, 5_000)).toMatchObject({ depth: 1, mostChildren: 400 });
  expect(divide(100_000, 100, 5_000)).toMatchObject({ depth: 2, mostChildren: 334 });
  expect(divide(100_000, 1, 5_000)).toMatchObject({ depth: 2, mostChildren: 400 });
  expect(divide(100_000, 1, 0)).toMatchObject({ depth: 3, mostChildren: 400 });
});

it('gives every lane as many slices, and no slice more than a child takes', () => {
  const positive = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(positive(100_000), positive(500), positive(10), fc.boolean(), (iterations, most, lanes, inAll) => {
      const fewest = inAll ? lanes : 1;
      const each = evenSlice(iterations, most, lanes, fewest);
      expect(each).toBeLessThanOrEqual(most);
      const slices = Math.ceil(iterations / each);
      // Rounding up may leave the last ones empty where a slice is a few iterations.
      if (slices > 1 && each > lanes)
        expect(Math.ceil(slices / lanes)).toBe(Math.ceil(Math.ceil(iterations / most) / lanes));
      if (iterations <= most && !inAll) expect(each).toBe(iterations);
      if (inAll && iterations >= lanes ** 2) expect(slices).toBeGreaterThanOrEqual(lanes);
    }),
  );
  expect([evenSlice(1_000, 500, 2), evenSlice(600, 500, 2), evenSlice(1_100, 500, 2)]).toEqual([500, 300, 275]);
  expect([evenSlice(101, 500, 4, 4), evenSlice(41, 500, 3, 3)]).toEqual([26, 14]);
});

test.each([
  [1, 1],
  [10, 1],
  [11, 2],
  [50, 2],
  [51, 3],
  [100, 4],
])('%i iterations at once: %i workflows side by side', (concurrency, lanes) => {
  expect(lanesFor(concurrency)).toBe(lanes);
});
