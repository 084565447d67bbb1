import { useEffect } from 'react';

/** Problems that a page says in their place, and how often. */
const said = new Map<unknown, number>();
const readers = new Set<() => void>();

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
  for (const read of readers) read();
}

export const isSaid = (problem: unknown) => said.has(problem);

/** Calls `read` when a problem is said, or no longer. Returns what ends it. */
export function onSaid(read: () => void): () => void {
  readers.add(read);
  return () => void readers.delete(read);
}
