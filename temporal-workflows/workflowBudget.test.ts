import { expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { type Cost, costOfIteration, timesIn, without } from './historyCost.ts';
import {
  evenSlice,
  HistoryBudget,
  iterationsHere,
  iterationsInChild,
  iterationsPerChild,
  lanesFor,
  lanesOfIteration,
} from './workflowBudget.ts';

function budgetOf(events: number) {
  let left = events;
  return {
    take(most: number, each: Cost) {
      const taken = Math.min(most, Math.floor(left / each.events));
      left -= taken * each.events;
      return taken;
    },
  };
}

interface Divided {
  /** Iterations that workflows run themselves, in order. */
  leaves: number[];
  mostChildren: number;
  depth: number;
}

/** Divides the whole tree of workflows. Each child has its own history. */
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
      // Rounding up may leave the last slices empty if a slice has only a few iterations.
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

const node = (id: string, more: Partial<PlanNode> = {}): PlanNode => ({
  ...{ id, type: 'action', label: id, placement: 'inline', ...more },
});

function loopOf(nodes: number): { plan: Plan; loop: PlanNode } {
  const loop = node('loop', { type: 'forEach', iterate: 'inWorkflow' });
  const inside = Array.from({ length: nodes }, (_, at) => node(`${'n'.repeat(60)}${at}`, { parentId: 'loop' }));
  return { plan: { nodes: [loop, ...inside, node('ask', { type: 'delay', parentId: 'loop' })], edges: [] }, loop };
}

it('counts bytes as well as events: of either budget as much as there is', () => {
  expect(timesIn({ events: 100, bytes: 1_000 }, { events: 10, bytes: 10 })).toBe(10);
  expect(timesIn({ events: 100, bytes: 1_000 }, { events: 10, bytes: 500 })).toBe(2);
  expect(timesIn({ events: 100, bytes: -1 }, { events: 10, bytes: 500 })).toBe(0);
  expect(without({ events: 100, bytes: 1_000 }, { events: 10, bytes: 500 }, 2)).toEqual({ events: 80, bytes: 0 });
});

it('counts the ids that an action hands on: iterations with many nodes behind one are fewer in a history', () => {
  const loop = node('loop', { type: 'forEach', iterate: 'inWorkflow' });
  const behind = Array.from({ length: 300 }, (_, at) => node(`${'n'.repeat(60)}${at}`, { parentId: 'loop' }));
  const first = node('first', { placement: 'remote', parentId: 'loop' });
  const nodes = [loop, first, ...behind];
  const wide = costOfIteration({ nodes, edges: behind.map(({ id }) => ({ from: 'first', to: id })) }, loop);
  const plain = costOfIteration({ nodes, edges: [] }, loop);
  expect(wide.events).toBe(plain.events);
  expect(wide.bytes - plain.bytes).toBeGreaterThan(300 * 60 * 2);
  // A new history has room for them.
  const fits = (iterations: number, each: Cost) => new HistoryBudget().take(iterations, each) === iterations;
  expect(fits(iterationsHere(plain), plain)).toBe(true);
  expect(fits(iterationsInChild(wide), wide)).toBe(true);
});

it('lets fewer iterations run at once in one workflow where a region of each hands over many outcomes', () => {
  const small = loopOf(10);
  expect(lanesOfIteration(small.plan, small.loop)).toBe(1);
  const large = loopOf(998);
  const each = lanesOfIteration(large.plan, large.loop);
  const workflows = lanesFor(40, each);
  // One message to the server must contain the outcomes of one workflow's iterations.
  expect(Math.ceil(40 / workflows) * 998 * 125).toBeLessThan(4 * 1024 * 1024 * 0.5);
});
