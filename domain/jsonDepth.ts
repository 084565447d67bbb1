/** JSON.stringify, Postgres' jsonb and our own code recurse over values, so deeper nesting is rejected. */
export const MAX_DEPTH = 100;

/** Iterates level by level, so that no depth overflows the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let at = 0; at < levels && level.length > 0; at += 1) {
    const inner: object[] = [];
    for (const one of level) {
      for (const each of Array.isArray(one) ? one : Object.values(one)) if (isContainer(each)) inner.push(each);
    }
    level = inner;
  }
  return level.length > 0;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
