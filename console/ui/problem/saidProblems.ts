import { useEffect } from 'react';
import { newReaders } from '../load/readers.ts';

/** Problems that a component shows in place, with the number of such components. */
const said = new Map<unknown, number>();
const readers = newReaders();

/** Marks the problem as shown while the calling component is mounted. */
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

/** Calls `read` when a problem is shown or no longer shown. Returns a function that stops this. */
export const onSaid = readers.subscribe;
