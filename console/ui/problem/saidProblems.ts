import { useEffect } from 'react';
import { newReaders } from '../load/readers.ts';

/** Problems that a page says in their place, and how often. */
const said = new Map<unknown, number>();
const readers = newReaders();

/** As long as the part is shown that calls it, the problem is said there. */
export function useSaid(problem: unknown): void {
  useEffect(() => {
    change(problem, 1);
    return () => change(problem, -1);
  }, [problem]);
}

function change(problem: unknown, by: number): void {
  const times = (said.get(problem) ?? 0) + by;
  if (times > 0) said.set(problem, times);
  else said.delete(problem);
  readers.say();
}

export const isSaid = (problem: unknown) => said.has(problem);

/** Calls `read` when a problem is said, or no longer. Returns what ends it. */
export const onSaid = readers.subscribe;
