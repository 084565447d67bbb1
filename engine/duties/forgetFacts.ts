import { deleteOldFacts } from '../../prisma/store/memory/facts.ts';
import { type Duty, type DutyParts, inRounds } from './duty.ts';

/** What is deleted in one statement. */
const BATCH = 1_000;

/** What agents remember for longer than their memoryRetentionDays say; before it is deleted nobody is told it any more. */
export function forgetFacts({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  const forget = async () => (await deleteOldFacts(database, BATCH)) === BATCH;
  return { name: 'forget old facts of agents', intervalMs, run: (stopped) => inRounds(stopped, forget) };
}
