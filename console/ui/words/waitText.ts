import { counted } from './counted.ts';

/** Formats a wait, rounded up: `42 seconds`, `15 minutes`. */
export function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? counted(seconds, 'second', 'seconds') : counted(Math.ceil(seconds / 60), 'minute', 'minutes');
}
