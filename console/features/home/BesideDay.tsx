import type { Statistics } from '../statistics/queries.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Slowest } from './Slowest.tsx';

/** Beside the day's chart: what took longest in it, or where to begin while nothing ran. */
export function BesideDay({ day, hasRun }: { day: Statistics; hasRun: boolean }) {
  return hasRun ? <Slowest day={day} /> : <FirstSteps />;
}
