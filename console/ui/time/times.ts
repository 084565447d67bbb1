const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const STYLES = { dateStyle: 'medium', timeStyle: 'medium' } as const;
const LOCAL = new Intl.DateTimeFormat(undefined, STYLES);
const UTC = new Intl.DateTimeFormat(undefined, { ...STYLES, timeZone: 'UTC' });

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** Formats `3 min. ago` or `in 2 hr.`; both arguments in milliseconds since the epoch. */
export function relativeTime(at: number, now: number): string {
  const distance = at - now;
  const [unit, size] = STEPS.find(([, each]) => Math.abs(distance) >= each) ?? ['second', 1_000];
  return RELATIVE.format(Math.trunc(distance / size), unit);
}

/** Formats a full time; one in UTC ends with "UTC". */
export function absoluteTime(at: number, zone: Zone): string {
  return zone === 'UTC' ? `${UTC.format(at)} UTC` : LOCAL.format(at);
}

/** Formats `1.2 s`, `3 m 02 s`, `4 d 2 h`, or `4 d` without a remainder. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 3_600) return twoParts(seconds, 60, 'm', 1, 's');
  if (seconds < 86_400) return twoParts(seconds, 3_600, 'h', 60, 'm');
  return twoParts(seconds, 86_400, 'd', 3_600, 'h');
}

function twoParts(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  const begin = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? begin : `${begin} ${String(rest).padStart(largeName === 'd' ? 1 : 2, '0')} ${smallName}`;
}

/** Formats `812 B`, `4.2 kB`, `3.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The zone in which a person reads and enters times: that of their machine, or UTC. */
export type Zone = 'local' | 'UTC';

/** Formats a time for an input (`2026-11-28T02:00`); '' if it is invalid. */
export function fieldOfTime(time: string | undefined, zone: Zone): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  // Shifted by the offset, the UTC text shows the local time.
  const shifted = zone === 'UTC' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Parses an input's time (`2026-11-28T02:00`) or day (`2026-11-28`) to ISO 8601; undefined if it is invalid. */
export function timeOfField(text: string, zone: Zone): string | undefined {
  const whole = text.length === 10 ? `${text}T00:00` : text;
  const at = new Date(zone === 'UTC' ? `${whole}Z` : whole);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
