import { Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'perdure-client';
import { Fact } from '../../ui/Fact.tsx';
import { NextTimesList } from '../../ui/time/NextTimesList.tsx';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { nextStart, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.start;

interface ScheduleTimesProps {
  workflow: WorkflowWhole;
  config: components['schemas']['ScheduleConfig'];
}

/** Its code loads when it is shown. */
export function ScheduleTimes({ workflow, config }: ScheduleTimesProps) {
  const { cron, everyMs, timezone = 'UTC', overlap = 'skip' } = config;
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
        <section aria-label={WORDS.schedule.next}>
          <NextTimesList {...{ cron, everyMs, timezone }} first={first ? Date.parse(first) : undefined} />
          {config.jitterMs !== undefined && <Text size="xs">{words.nextNote}</Text>}
        </section>
      )}
    </>
  );
}
