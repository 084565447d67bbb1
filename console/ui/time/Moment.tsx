import { WORDS } from '../words/words.ts';
import { useNow } from './clock.ts';
import { durationText, relativeTime } from './times.ts';
import { useAbsoluteTime } from './useAbsoluteTime.ts';

/** Shows `3 min. ago`, with the full time as tooltip. */
export function Moment({ at }: { at: string | null | undefined }) {
  const now = useNow();
  const absoluteTime = useAbsoluteTime();
  if (at === null || at === undefined) return WORDS.none;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={absoluteTime(ms)}>
      {relativeTime(ms, now)}
    </time>
  );
}

export function Duration({ from, to }: { from: string | null | undefined; to: string | null | undefined }) {
  const now = useNow();
  if (from === null || from === undefined) return WORDS.none;
  return durationText((to ? Date.parse(to) : now) - Date.parse(from));
}

const HOUR_MS = 3_600_000;

/** Shows the time left: `4:12` in the last hour, `in 5 hr.` before. */
export function Countdown({ at }: { at: string }) {
  const now = useNow();
  const absoluteTime = useAbsoluteTime();
  const end = Date.parse(at);
  return (
    <time dateTime={at} title={absoluteTime(end)}>
      {leftText(end, now)}
    </time>
  );
}

function leftText(end: number, now: number): string {
  const left = end - now;
  if (left <= 0) return WORDS.expired;
  if (left >= HOUR_MS) return relativeTime(end, now);
  const seconds = Math.ceil(left / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
