import './OutcomeChart.css';
import { Text } from '@mantine/core';
import type { Bucket } from '../../data/statistics.ts';
import { WORDS } from '../../words/en.ts';
import type { Tone } from '../Chip.tsx';
import { outcomeParts, totalOf } from './outcomes.ts';

const words = WORDS.chart;
/** A day of hours ends at the hour at which it begins, of another day. */
const HOUR = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const TONES: Tone[] = ['good', 'bad', 'run', 'neutral'];

interface OutcomeChartProps {
  label: string;
  buckets: readonly Bucket[];
  by: 'hour' | 'day';
}

/** Executions by the hour or day of their start, stacked by what became of them. Its table says the same to those who hear it. */
export function OutcomeChart({ label, buckets, by }: OutcomeChartProps) {
  const format = by === 'hour' ? HOUR : DAY;
  const most = Math.max(1, ...buckets.map(totalOf));
  const time = (bucket: Bucket | undefined) => (bucket === undefined ? '' : format.format(new Date(bucket.start)));
  return (
    <figure className="outcomes">
      <div className="outcomes-bars" aria-hidden>
        {buckets.map((bucket) => (
          <div key={bucket.start} className="outcomes-bar" title={`${time(bucket)} · ${sentence(bucket)}`}>
            {outcomeParts(bucket).map(({ tone, count }) => (
              <span key={tone} data-tone={tone} style={{ height: `${(100 * count) / most}%` }} />
            ))}
          </div>
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
      {/* A table is as wide as its words, whatever its own width: what cuts it is around it. */}
      <div className="aloud">
        <table>
          <caption>{label}</caption>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.start}>
                <th scope="row">{time(bucket)}</th>
                <td>{sentence(bucket)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** `50 completed, 7 failed`. */
function sentence(bucket: Bucket): string {
  const parts = outcomeParts(bucket).map(({ tone, count }) => `${count.toLocaleString('en')} ${words.tones[tone]}`);
  return parts.length === 0 ? words.nothing : parts.join(', ');
}
