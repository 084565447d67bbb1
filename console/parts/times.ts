const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** `3 min. ago`, `in 2 hr.`; both in milliseconds since the epoch. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const [unit, size] = STEPS.find(([, each]) => Math.abs(distance) >= each) ?? ['second', 1_000];
  return RELATIVE.format(Math.trunc(distance / size), unit);
}

export function absoluteTime(at: number): string {
  return ABSOLUTE.format(at);
}

/** `1.2 s`, `3 m 02 s`, `4 d 2 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${two((seconds % 3_600) / 60)} m`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
}

/** `812 B`, `4.2 kB`, `3.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
