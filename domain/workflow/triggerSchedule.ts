import { type CalendarTimes, cronTimes } from './cron.ts';
import type { Overlap, TriggerNode } from './definition.ts';

/** What the engine is to do by the clock for a workflow; plain data, compared as text. */
export interface TriggerSchedule {
  kind: 'schedule';
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
