import { Text } from '@mantine/core';
import { toString as cronWords } from 'cronstrue';
import type { Json } from '../../../../domain/json.ts';
import { cronTimes } from '../../../../domain/workflow/cron.ts';
import { NextTimesList } from '../../../ui/time/NextTimesList.tsx';
import { FIELDS } from './words.ts';

const words = FIELDS.schedule;

interface ScheduleWordsProps {
  cron: Json | undefined;
  everyMs: Json | undefined;
  timezone: Json | undefined;
}

/** Says a schedule in words, with its next times; nothing while it is not valid. */
export function ScheduleWords({ cron, everyMs, timezone }: ScheduleWordsProps) {
  const zone = typeof timezone === 'string' && timezone !== '' ? timezone : 'UTC';
  const isCron = typeof cron === 'string' && cron !== '';
  if (!isZone(zone)) return null;
  if (!isCron) {
    return isInterval(everyMs) ? <NextTimesList everyMs={everyMs} timezone={zone} /> : null;
  }
  if (!isValid(cron)) return null;
  return (
    <div>
      <Text size="sm" component="output" display="block" aria-label={words.label}>
        {cronWords(cron, { use24HourTimeFormat: true, verbose: true })}
      </Text>
      <NextTimesList cron={cron} timezone={zone} />
    </div>
  );
}

const isInterval = (value: Json | undefined): value is number =>
  typeof value === 'number' && value >= 1_000 && value % 1_000 === 0;

function isValid(cron: string): boolean {
  try {
    cronTimes(cron);
    return true;
  } catch {
    return false;
  }
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
