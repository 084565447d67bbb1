import { type CalendarTimes, cronTimes } from './cron.ts';
import type { Overlap, PollConfig, TriggerNode } from './definition.ts';

/** A workflow's schedule in the engine, as plain data that is compared as text. */
export interface TriggerSchedule {
  kind: 'schedule' | 'poll';
  /** A time matches if one of them does. */
  calendars?: CalendarTimes[];
  /** Counted from the epoch: hourly means at every full hour, UTC. */
  everyMs?: number;
  timezone: string;
  jitterMs: number;
  overlap: Overlap;
  /** How late a missed time still starts an execution. */
  catchupWindowMs: number;
}

const CATCHUP_WINDOW_MS = 60_000;

/** Returns undefined for a trigger without a clock. */
export function triggerSchedule(trigger: TriggerNode): TriggerSchedule | undefined {
  if (trigger.type === 'poll') return pollSchedule(trigger.config);
  if (trigger.type !== 'schedule') return undefined;
  const { cron, everyMs, timezone = 'UTC', jitterMs = 0, overlap = 'skip', catchupWindowMs } = trigger.config;
  return {
    kind: 'schedule',
    ...(cron === undefined ? {} : { calendars: cronTimes(cron) }),
    ...(everyMs === undefined ? {} : { everyMs }),
    timezone,
    jitterMs,
    overlap,
    catchupWindowMs: catchupWindowMs ?? CATCHUP_WINDOW_MS,
  };
}

const MIN_CATCHUP_MS = 10_000;
const MAX_SPREAD_MS = 60_000;

/** No catch-up is needed, because the next poll finds missed items. The jitter spreads polls over their interval. */
function pollSchedule({ everyMs }: PollConfig): TriggerSchedule {
  const jitterMs = Math.min(Math.floor(everyMs / 10), MAX_SPREAD_MS);
  return { kind: 'poll', everyMs, timezone: 'UTC', jitterMs, overlap: 'skip', catchupWindowMs: MIN_CATCHUP_MS };
}
