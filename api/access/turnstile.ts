/** Lets at most `size` pieces of work run at a time; the others wait in their order. */
export function createTurnstile(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = size;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on, never set free in between: a newcomer cannot slip past those who wait.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
