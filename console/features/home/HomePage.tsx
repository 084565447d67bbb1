import { lazyPart } from '../../ui/load/lazyPart.ts';
import './home.css';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Page } from '../../ui/Page.tsx';
import { durationText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { OutcomeChart } from '../statistics/OutcomeChart.tsx';
import { totalOf } from '../statistics/outcomes.ts';
import { statistics } from '../statistics/queries.ts';
import { Failing } from './Failing.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Running } from './Running.tsx';
import { Section } from './Section.tsx';
import { HOME } from './words.ts';

const words = HOME;
const BesideDay = lazyPart(() => import('./BesideDay.tsx'), 'BesideDay');

/** Every number on the home page links to the list that it counts. */
export function Home() {
  const day = useQuery({ ...statistics({ bucket: 'hour', groupBy: 'workflow' }), refetchInterval: 60_000 });
  const last = day.data?.buckets.at(-1);
  const hasRun = day.data?.buckets.some((bucket) => totalOf(bucket) > 0) ?? false;
  return (
    <Page title={words.title}>
      <Stack>
        <div className="three">
          <NeedsYou />
          <Failing />
          <Running />
        </div>
        <div className="day">
          <Section title={words.day} reads={[day]}>
            {day.data !== undefined && !hasRun && <Text>{WORDS.chart.noneRan}</Text>}
            {day.data !== undefined && hasRun && (
              <OutcomeChart label={words.day} buckets={day.data.buckets} by="hour" />
            )}
            {last?.p50Ms != null && last.p95Ms != null && (
              <Text size="sm">{words.slow(durationText(last.p50Ms), durationText(last.p95Ms))}</Text>
            )}
          </Section>
          {day.data !== undefined && (
            <Suspense fallback={null}>
              <BesideDay day={day.data} hasRun={hasRun} />
            </Suspense>
          )}
        </div>
      </Stack>
    </Page>
  );
}
