const UNITS: readonly (readonly [name: string, ms: number, also: readonly string[]])[] = [
  ['d', 86_400_000, ['day', 'days']],
  ['h', 3_600_000, ['hr', 'hour', 'hours']],
  ['min', 60_000, ['m', 'mins', 'minute', 'minutes']],
  ['s', 1_000, ['sec', 'second', 'seconds']],
  ['ms', 1, []],
];

const MS_OF = new Map(UNITS.flatMap(([name, ms, also]) => [name, ...also].map((word) => [word, ms] as const)));

/** Writes `1 h 30 min`, exactly. A fraction or a negative number is written in `ms`. */
export function durationWritten(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0) return `${ms} ms`;
  if (ms === 0) return '0 s';
  let left = ms;
  const parts: string[] = [];
  for (const [name, unit] of UNITS) {
    const count = Math.floor(left / unit);
    if (count > 0) parts.push(`${count} ${name}`);
    left -= count * unit;
  }
  return parts.join(' ');
}

/** Parses `90 s`, `1.5 h`, `1 h 30 min`, or a number of milliseconds. Undefined for other texts. */
export function durationOf(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (!/^(\d+(\.\d+)?\s*[a-z]+\s*)+$/.test(trimmed)) return undefined;
  let sum = 0;
  for (const [, count, word = ''] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const unit = MS_OF.get(word);
    if (unit === undefined) return undefined;
    sum += Number(count) * unit;
  }
  return Math.round(sum);
}
