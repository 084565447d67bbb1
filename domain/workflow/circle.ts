/** Returns a path to the first circle, whose last node repeats an earlier one: a → b → c → b. */
export function findCircle(start: string, next: (from: string) => readonly string[]): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];

  function visit(at: string): string[] | undefined {
    if (path.includes(at)) return [...path, at];
    if (done.has(at)) return undefined;
    path.push(at);
    for (const to of next(at)) {
      const found = visit(to);
      if (found) return found;
    }
    path.pop();
    done.add(at);
    return undefined;
  }

  return visit(start);
}
