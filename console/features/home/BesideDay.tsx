import type { Statistics } from '../statistics/queries.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Slowest } from './Slowest.tsx';

/** Next to the day's chart: the slowest workflows, or the first steps if nothing ran. */
export function BesideDay({ day, hasRun }: { day: Statistics; hasRun: boolean }) {
  return hasRun ? <Slowest day={day} /> : <FirstSteps />;
}
