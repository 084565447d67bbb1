import './OutcomeChart.css';
import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Tone } from '../../ui/Chip.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { useZone } from '../../ui/time/timeZone.ts';
import { WORDS } from '../../ui/words/words.ts';
import { outcomeParts, totalOf } from './outcomes.ts';
import type { Bucket } from './queries.ts';

type Search = SearchOf<'/frame/executions'>;

const words = WORDS.chart;
/** Includes the weekday, because the first and the last hour are the same hour of two days. */
const HOUR = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const LENGTH_MS = { hour: 3_600_000, day: 86_400_000 };
const TONES: Tone[] = ['good', 'bad', 'run', 'neutral'];

interface OutcomeChartProps {
  label: string;
  buckets: readonly Bucket[];
  by: 'hour' | 'day';
  /** The search parameters of their list; absent for the whole workspace. */
  filters?: Search;
}

/** Stacked by outcome. Each bar links to its executions, and a table repeats the values for screen readers. */
export function OutcomeChart({ label, buckets, by, filters = {} }: OutcomeChartProps) {
  const zone = useZone();
  // The API counts days in UTC.
  const format = new Intl.DateTimeFormat(undefined, {
    ...(by === 'hour' ? HOUR : DAY),
    ...(by === 'day' || zone === 'UTC' ? { timeZone: 'UTC' } : {}),
  });
  const most = Math.max(1, ...buckets.map(totalOf));
  const time = (bucket: Bucket | undefined) => (bucket === undefined ? '' : format.format(new Date(bucket.start)));
  const within = ({ start }: Bucket): Search => ({
    ...filters,
    after: start,
    before: new Date(Date.parse(start) + LENGTH_MS[by]).toISOString(),
  });
  return (
    <figure className="outcomes">
      <div className="outcomes-bars" aria-hidden>
        {buckets.map((bucket) => (
          <Link
            key={bucket.start}
            to="/executions"
            search={within(bucket)}
            // Not in the tab order: 30 stops would precede the rest, and the list has time filters for the keyboard.
            tabIndex={-1}
            className="outcomes-bar"
            title={`${time(bucket)} · ${sentence(bucket)}`}
          >
            {outcomeParts(bucket).map(({ tone, count }) => (
              <span key={tone} data-tone={tone} style={{ height: `${(100 * count) / most}%` }} />
            ))}
          </Link>
        ))}
      </div>
      <div className="outcomes-axis" aria-hidden>
        <Text span size="xs">
          {time(buckets[0])}
        </Text>
        <Text span size="xs">
          {words.most(most)}
        </Text>
        <Text span size="xs">
          {time(buckets.at(-1))}
        </Text>
      </div>
      <div className="outcomes-legend" aria-hidden>
        {TONES.map((tone) => (
          <Text span size="xs" key={tone}>
            <i data-tone={tone} /> {words.tones[tone]}
          </Text>
        ))}
      </div>
      {/* A table ignores a width below that of its content, so the element around it hides it. */}
      <div className="aloud">
        <table>
          <caption>{label}</caption>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.start}>
                <th scope="row">
                  <Link to="/executions" search={within(bucket)} tabIndex={-1}>
                    {time(bucket)}
                  </Link>
                </th>
                <td>{sentence(bucket)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** Example: `50 completed, 7 failed`. */
function sentence(bucket: Bucket): string {
  const parts = outcomeParts(bucket).map(({ tone, count }) => `${count.toLocaleString('en')} ${words.tones[tone]}`);
  return parts.length === 0 ? words.nothing : parts.join(', ');
}
