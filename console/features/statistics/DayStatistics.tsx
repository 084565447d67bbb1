import './dayStatistics.css';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/Loading.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { durationText } from '../../ui/time/times.ts';
import { OutcomeChart } from './OutcomeChart.tsx';
import { dayFigures } from './outcomes.ts';
import { type Bucket, statistics } from './queries.ts';
import { STATISTICS } from './words.ts';

const words = STATISTICS;
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function DayStatistics({ workflowId }: { workflowId: string }) {
  const query = useQuery(statistics({ bucket: 'day', filterBy: `workflowId:${workflowId}` }));
  if (query.data === undefined) {
    return query.error === null ? (
      <Loading height={100} />
    ) : (
      <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const { buckets, bounded } = query.data;
  const { total, failedShare, longestMs, lastTimed } = dayFigures(buckets);
  if (total === 0) return <Text size="sm">{words.none}</Text>;
  return (
    <section aria-label={words.label}>
      <Group gap="md" mb={4}>
        <Text size="sm" fw={600}>
          {words.total(total)}
        </Text>
        {failedShare !== undefined && (
          <Text size="sm">
            {words.failedShare(failedShare.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 }))}
          </Text>
        )}
        {lastTimed !== undefined && <Text size="sm">{durationsOf(lastTimed)}</Text>}
      </Group>
      {bounded && <Text size="xs">{words.bounded}</Text>}
      <div className="day-charts">
        <OutcomeChart label={words.counts} buckets={buckets} by="day" filters={{ workflow: workflowId }} />
        <DurationChart buckets={buckets} longestMs={longestMs} />
      </div>
    </section>
  );
}

/** Example: `Nov 24: p50 20 ms, p95 900 ms`. */
function durationsOf({ start, p50Ms, p95Ms }: Bucket): string | undefined {
  if (p50Ms === null || p95Ms === null) return undefined;
  return words.dayDurations(DAY.format(new Date(start)), durationText(p50Ms), durationText(p95Ms));
}

/** One bar per day, as high as the p95, with a dark part as high as the p50. Its label repeats the values as text. */
function DurationChart({ buckets, longestMs }: { buckets: readonly Bucket[]; longestMs: number }) {
  const aloud = buckets.map(durationsOf).filter((text) => text !== undefined);
  const height = (ms: number | null) => `${(100 * (ms ?? 0)) / longestMs}%`;
  return (
    <figure className="outcomes">
      <div className="outcomes-bars" role="img" aria-label={`${words.durations}. ${aloud.join('. ')}`}>
        {buckets.map((bucket) => (
          <div key={bucket.start} className="duration-bar" title={durationsOf(bucket)} data-tone="run">
            <i className="slow" style={{ height: height(bucket.p95Ms) }} />
            <i style={{ height: height(bucket.p50Ms) }} />
          </div>
        ))}
      </div>
      <div className="outcomes-axis">
        <Text span size="xs">
          {words.durations}
        </Text>
        <Text span size="xs">
          {words.longest(durationText(longestMs))}
        </Text>
      </div>
    </figure>
  );
}
