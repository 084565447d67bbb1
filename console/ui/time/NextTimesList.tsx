import { List, Text } from '@mantine/core';
import { WORDS } from '../words/words.ts';
import { useMinute } from './clock.ts';
import { Moment } from './Moment.tsx';
import { nextTimes, type Times } from './nextTimes.ts';

const words = WORDS.schedule;
const SHOWN = 5;

/** Lists the next five times of a schedule, in its time zone. `first`: the next start that the engine reports. */
export function NextTimesList({ first, ...times }: Times & { first?: number | undefined }) {
  const { timezone } = times;
  return (
    <>
      <Text size="sm">{words.next}</Text>
      <List size="sm" type="ordered">
        {nextTimes(times, useMinute(), SHOWN, first).map(({ at, clocks }) => (
          <List.Item key={at}>
            <time dateTime={new Date(at).toISOString()}>{clockTime(at, timezone)}</time> (
            <Moment at={new Date(at).toISOString()} />)
            {clocks !== undefined && <strong>; {words.clocksChange(clocks.from, clocks.to)}</strong>}
          </List.Item>
        ))}
      </List>
    </>
  );
}

function clockTime(at: number, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const clock = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  } as const;
  return new Intl.DateTimeFormat('en', { timeZone, ...day, ...clock }).format(at);
}
