import { counted } from '../../ui/words/counted.ts';

export const STATISTICS = {
  label: 'The last 30 days',
  total: (count: number) => counted(count, 'execution', 'executions'),
  failedShare: (percent: string) => `${percent} failed`,
  counts: 'Outcomes by day',
  durations: 'Duration by day',
  longest: (text: string) => `highest: ${text}`,
  dayDurations: (day: string, p50: string, p95: string) => `${day}: p50 ${p50}, p95 ${p95}`,
  none: 'No execution ended in the last 30 days.',
  bounded: 'Only the newest executions are counted.',
};
