import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { FairPlaces } from './fairPlaces.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const PATIENCE_MS = 1_000;

function placesFor(places: number, waiting = 0): FairPlaces {
  return new FairPlaces(places, { waiting, patienceMs: PATIENCE_MS });
}

async function enter(places: FairPlaces, workspaceId: string, signal?: AbortSignal): Promise<boolean> {
  return places.enter(workspaceId, signal);
}

interface Asked {
  workspaceId: string;
  got: 'in' | 'none' | undefined;
}

function ask(places: FairPlaces, workspaceId: string): Asked {
  const asked: Asked = { workspaceId, got: undefined };
  void enter(places, workspaceId).then((hasPlace) => {
    asked.got = hasPlace ? 'in' : 'none';
  });
  return asked;
}

function leave(places: FairPlaces, asked: Asked | undefined): void {
  if (asked?.got !== 'in') throw new Error('It has no place');
  places.leave(asked.workspaceId);
  asked.got = 'none';
}

const shown = (all: Asked[]) => all.map(({ got }) => got);

test('a free place goes to a waiting caller, first of the workspace with the fewest places', async () => {
  const places = placesFor(6, 8);
  const inside = ['a', 'a', 'a', 'b', 'b'].map((id) => ask(places, id));
  const asked = ['a', 'b'].map((id) => ask(places, id));
  await jest.advanceTimersByTimeAsync(PATIENCE_MS / 2);
  expect(shown([...inside, ...asked])).toEqual(['in', 'in', 'in', 'in', 'in', undefined, undefined]);
  leave(places, inside[3]);
  await jest.advanceTimersByTimeAsync(0);
  expect(shown(asked)).toEqual([undefined, 'in']);
  leave(places, inside[0]);
  leave(places, inside[1]);
  await jest.advanceTimersByTimeAsync(0);
  expect(shown(asked)).toEqual(['in', 'in']);
});

test('a caller without a place in time gets none, and one workspace does not wait for all', async () => {
  const places = placesFor(2, 4);
  const asked = ['a', 'a', 'a', 'a', 'b'].map((id) => ask(places, id));
  await jest.advanceTimersByTimeAsync(0);
  expect(shown(asked)).toEqual(['in', undefined, undefined, 'none', 'in']);
  await jest.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(shown(asked)).toEqual(['in', 'none', 'none', 'none', 'in']);
});

test('a call that is aborted while it waits leaves the line', async () => {
  const places = placesFor(2, 2);
  const inside = ask(places, 'a');
  const leaving = new AbortController();
  const waits = enter(places, 'a', leaving.signal);
  // The line of its workspace is full.
  expect(places.enter('a')).toBe(false);
  leaving.abort();
  expect(await waits).toBe(false);
  expect(await places.enter('a', AbortSignal.abort())).toBe(false);
  const next = ask(places, 'a');
  await jest.advanceTimersByTimeAsync(0);
  leave(places, inside);
  await jest.advanceTimersByTimeAsync(0);
  expect(shown([next])).toEqual(['in']);
});

const MOVES = fc.array(
  fc.record({
    workspace: fc.constantFrom('a', 'b', 'c', 'd'),
    move: fc.constantFrom('enter', 'leave', 'time'),
    which: fc.nat(),
  }),
  { maxLength: 200 },
);

test('places never exceed the limit, a workspace without one gets a free one, and left places are free again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 10 }),
      MOVES,
      async (count, waiting, moves) => {
        const places = placesFor(count, waiting);
        const all: Asked[] = [];
        const inside = () => all.filter(({ got }) => got === 'in');
        for (const { workspace, move, which } of moves) {
          const now = inside();
          const isFirst = now.length < count && now.every(({ workspaceId }) => workspaceId !== workspace);
          if (move === 'enter') all.push(ask(places, workspace));
          else if (move === 'time') await jest.advanceTimersByTimeAsync(which % PATIENCE_MS);
          else if (now.length > 0) {
            leave(places, now[which % now.length]);
          }
          await jest.advanceTimersByTimeAsync(0);
          if (move === 'enter' && isFirst) expect(all.at(-1)?.got).toBe('in');
          expect(inside().length).toBeLessThanOrEqual(count);
        }
        await jest.advanceTimersByTimeAsync(PATIENCE_MS);
        while (inside().length > 0) {
          leave(places, inside()[0]);
          await jest.advanceTimersByTimeAsync(PATIENCE_MS);
        }
        expect(all.every(({ got }) => got === 'none')).toBe(true);
        let taken = 0;
        while (places.tryEnter('a')) taken += 1;
        expect(taken).toBe(Math.ceil(count / 2));
      },
    ),
    { numRuns: 60 },
  );
});
