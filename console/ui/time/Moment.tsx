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
