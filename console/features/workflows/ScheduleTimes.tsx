import { Code, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'perdure-client';
import { Fact } from '../../ui/Fact.tsx';
import { useMinute } from '../../ui/time/clock.ts';
import { Moment } from '../../ui/time/Moment.tsx';
import { durationText } from '../../ui/time/times.ts';
import { nextTimes } from './nextTimes.ts';
import { nextStart, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.start;
const SHOWN = 5;

interface ScheduleTimesProps {
  workflow: WorkflowWhole;
  config: components['schemas']['ScheduleConfig'];
}

/** Its code loads when it is shown. */
export function ScheduleTimes({ workflow, config }: ScheduleTimesProps) {
  const { cron, everyMs, timezone = 'UTC', overlap = 'skip' } = config;
  const minute = useMinute();
  const starts = workflow.isActive === true && workflow.paused === false;
  const { data, error } = useQuery({ ...nextStart(workflow.id), enabled: starts });
  const first = data?.nextScheduledExecution;
  return (
    <>
      <Group gap="lg">
        {cron !== undefined && (
          <Fact name={words.cron}>
            <Code>{cron}</Code>
          </Fact>
        )}
        {everyMs !== undefined && <Fact name={words.every}>{durationText(everyMs)}</Fact>}
        <Fact name={words.zone}>{timezone}</Fact>
        <Fact name={words.overlap}>{words.overlaps[overlap]}</Fact>
      </Group>
      {!starts && <Text size="sm">{words.noNext}</Text>}
      {error !== null && <Text size="sm">{words.engineAway}</Text>}
      {starts && (
        <section aria-label={words.next}>
          <Text size="sm">{words.next}</Text>
          <List size="sm" type="ordered">
            {nextTimes({ cron, everyMs, timezone }, minute, SHOWN, first ? Date.parse(first) : undefined).map(
              ({ at, clocks }) => (
                <List.Item key={at}>
                  <time dateTime={new Date(at).toISOString()}>{clockTime(at, timezone)}</time> (
                  <Moment at={new Date(at).toISOString()} />)
                  {clocks !== undefined && <strong>; {words.clocksChange(clocks.from, clocks.to)}</strong>}
                </List.Item>
              ),
            )}
          </List>
          {config.jitterMs !== undefined && <Text size="xs">{words.nextNote}</Text>}
        </section>
      )}
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
