import type { Statistics } from '../statistics/queries.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Slowest } from './Slowest.tsx';

export function BesideDay({ day, hasRun }: { day: Statistics; hasRun: boolean }) {
  return hasRun ? <Slowest day={day} /> : <FirstSteps />;
}
