import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { type Duty, type DutyParts, inRounds } from './duty.ts';

/** What is deleted in one statement. */
const MOST = { executions: 100, steps: 5_000, iterations: 5_000 };

/** Executions that ended earlier than so many days ago. */
export function forgetOld({ database }: Pick<DutyParts, 'database'>, retentionDays: number, intervalMs: number): Duty {
  const forget = async () => {
    const { executions, steps, iterations } = await deleteOldExecutions(database, retentionDays, MOST);
    return executions === MOST.executions || steps === MOST.steps || iterations === MOST.iterations;
  };
  return { name: 'forget old executions', intervalMs, run: (stopped) => inRounds(stopped, forget) };
}
