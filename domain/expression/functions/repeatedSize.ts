const REPEATED = /\{(\d{1,4})(?:,(\d{0,4}))?\}/y;

/** Counts each character and class as often as it is repeated. Arbitrary for a broken pattern. */
export function repeatedSize(source: string): number {
  /** Sizes of the open groups; the first is the whole pattern. */
  const open = [0];
  let at = 0;
  while (at < source.length) {
    const sign = source[at] as string;
    let size = 1;
    if (sign === '(') {
      open.push(0);
      at += 1;
      continue;
    }
    if (sign === ')' && open.length > 1) size += open.pop() as number;
    at = endOfAtom(source, at);
    REPEATED.lastIndex = at;
    const repeated = REPEATED.exec(source);
    if (repeated) {
      size *= Math.max(Number(repeated[1]), Number(repeated[2] ?? 0), 1);
      at = REPEATED.lastIndex;
    }
    open[open.length - 1] = (open.at(-1) as number) + size;
  }
  return open.reduce((sum, size) => sum + size, 0);
}

function endOfAtom(source: string, at: number): number {
  if (source[at] === '\\') return at + 2;
  if (source[at] !== '[') return at + 1;
  // A bracket at the start of a class is a member of it.
  let end = source[at + 1] === '^' ? at + 3 : at + 2;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}
