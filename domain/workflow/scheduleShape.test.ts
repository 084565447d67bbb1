import { expect, test } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import type { TriggerNode } from './definition.ts';
import { Problems } from './problems.ts';
import { triggerSchedule } from './triggerSchedule.ts';
import { readTrigger } from './triggerShape.ts';

function read(config: JsonObject): { trigger: TriggerNode; problems: string[] } {
  const problems = new Problems();
  const trigger = readTrigger({ id: 'trigger', type: 'schedule', config }, new Map(), problems);
  return { trigger, problems: problems.all.map(({ path, message }) => `${path}: ${message}`) };
}

test('a schedule by cron, with all that it can say', () => {
  const config = {
    cron: '0 9 * * MON-FRI',
    timezone: 'Europe/Berlin',
    jitterMs: 5_000,
    overlap: 'bufferOne',
    catchupWindowMs: 3_600_000,
  };
  const { trigger, problems } = read(config);
  expect(problems).toEqual([]);
  expect(trigger).toEqual({ id: 'trigger', type: 'schedule', config });
  expect(triggerSchedule(trigger)).toMatchObject({
    calendars: [{ hour: [9], dayOfWeek: [1, 2, 3, 4, 5] }],
    timezone: 'Europe/Berlin',
    overlap: 'bufferOne',
  });
});

test('absent fields of a schedule', () => {
  expect(triggerSchedule(read({ everyMs: 1_000 }).trigger)).toEqual({
    kind: 'schedule',
    everyMs: 1_000,
    timezone: 'UTC',
    jitterMs: 0,
    overlap: 'skip',
    catchupWindowMs: 60_000,
  });
});

test('a zone is taken by its proper spelling', () => {
  expect(read({ everyMs: 1_000, timezone: 'europe/berlin' }).trigger.config).toMatchObject({
    timezone: 'Europe/Berlin',
  });
});

test.each([
  [{}, /config\.cron: expected either cron .* or everyMs/],
  [{ cron: '* * * * *', everyMs: 1_000 }, /config\.cron: expected either/],
  [{ cron: '* * *' }, /config\.cron: expected minute hour .*; 3 fields/],
  [{ cron: 5 }, /config\.cron: expected text/],
  [{ everyMs: 999 }, /config\.everyMs: expected whole seconds/],
  [{ everyMs: 1_500 }, /config\.everyMs: expected whole seconds/],
  [{ everyMs: 366 * 86_400_000 + 1_000 }, /config\.everyMs: expected whole seconds/],
  [{ everyMs: 1_000, timezone: 'Mars/Base' }, /config\.timezone: expected an IANA time zone/],
  [{ everyMs: 1_000, timezone: '+01:00' }, /config\.timezone: expected an IANA time zone/],
  [{ everyMs: 1_000, jitterMs: -1 }, /config\.jitterMs: expected a whole number/],
  [{ everyMs: 1_000, overlap: 'queue' }, /config\.overlap: expected one of skip, bufferOne/],
  [{ everyMs: 1_000, catchupWindowMs: 9_999 }, /config\.catchupWindowMs: expected .* from 10000/],
  [{ everyMs: 1_000, every: 5 }, /config\.every: .*no such member/],
])('refuses %j', (config, problem) => {
  const { problems } = read(config);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});
