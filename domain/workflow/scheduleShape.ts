import type { JsonObject } from '../json.ts';
import { CRON_EXPECTATION, cronTimes } from './cron.ts';
import { OVERLAPS, type ScheduleConfig, TRIGGER_ID, type TriggerNode } from './definition.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;
/** The engine's minimum. */
const MIN_CATCHUP_MS = 10_000;

export function readSchedule(config: JsonObject, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  const schedule: ScheduleConfig = {
    ...memberIfPresent('cron', readCron(shape)),
    ...memberIfPresent('everyMs', readEveryMs(shape)),
    ...memberIfPresent('timezone', readTimeZone(shape)),
    ...memberIfPresent('jitterMs', milliseconds(shape, 'jitterMs', 0, DAY_MS)),
    ...memberIfPresent('overlap', shape.oneOf('overlap', OVERLAPS)),
    ...memberIfPresent('catchupWindowMs', milliseconds(shape, 'catchupWindowMs', MIN_CATCHUP_MS, YEAR_MS)),
  };
  if (shape.has('cron') === shape.has('everyMs')) {
    shape.problem('cron', `expected either cron (${CRON_EXPECTATION}) or everyMs`);
  }
  shape.refuseOthers('the config of a schedule');
  return { id: TRIGGER_ID, type: 'schedule', config: schedule };
}

/** The interval of a schedule or a poll, in whole seconds because of the engine. */
export function readEveryMs(shape: Shape): number | undefined {
  const expected = `whole seconds as milliseconds, from ${SECOND_MS} to ${YEAR_MS}`;
  return shape.number(
    'everyMs',
    expected,
    (value) => value >= SECOND_MS && value <= YEAR_MS && value % SECOND_MS === 0,
  );
}

function readCron(shape: Shape): string | undefined {
  const cron = shape.text('cron', 500);
  if (cron === undefined) return undefined;
  try {
    cronTimes(cron);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    shape.problem('cron', `expected ${CRON_EXPECTATION}; ${why}`);
  }
  return cron;
}

function readTimeZone(shape: Shape): string | undefined {
  const name = shape.text('timezone', 100);
  if (name === undefined) return undefined;
  const known = knownTimeZone(name);
  if (known === undefined) {
    shape.problem('timezone', `expected an IANA time zone such as Europe/Berlin, got ${JSON.stringify(name)}`);
  }
  return known;
}

function milliseconds(shape: Shape, member: string, least: number, most: number): number | undefined {
  const expected = `a whole number of milliseconds from ${least} to ${most}`;
  return shape.number(member, expected, (value) => Number.isInteger(value) && value >= least && value <= most);
}

/** Returns the engine's spelling of an IANA name, e.g. Europe/Berlin; undefined if there is no such zone. */
function knownTimeZone(name: string): string | undefined {
  // Offsets such as +01:00 are rejected: they have no summer time.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Corrects the spelling of Europe/berlin, but does not replace an old name.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}
