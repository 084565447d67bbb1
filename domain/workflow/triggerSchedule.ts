import { type CalendarTimes, cronTimes } from './cron.ts';
import type { Overlap, PollConfig, TriggerNode } from './definition.ts';

/** The schedule of a workflow in the engine, as plain data that is compared as text. */
export interface TriggerSchedule {
  kind: 'schedule' | 'poll';
  /** A time fits when one of them does. */
  calendars?: CalendarTimes[];
  /** From the epoch on: every hour is at the full hour, UTC. */
  everyMs?: number;
  timezone: string;
  jitterMs: number;
  overlap: Overlap;
  /** How late a time that was missed is still made up for. */
  catchupWindowMs: number;
}

const CATCHUP_WINDOW_MS = 60_000;

/** Undefined for a trigger that no clock starts. */
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

/** The next poll finds missed items. Polls of the same interval are spread over it. */
function pollSchedule({ everyMs }: PollConfig): TriggerSchedule {
  const jitterMs = Math.min(Math.floor(everyMs / 10), MAX_SPREAD_MS);
  return { kind: 'poll', everyMs, timezone: 'UTC', jitterMs, overlap: 'skip', catchupWindowMs: MIN_CATCHUP_MS };
}
