import { deleteOldEntries } from '../../prisma/store/audit/entries.ts';
import { deleteExpired, EXPIRING_TABLES } from '../../prisma/store/deleteExpired.ts';
import { deleteForgotten } from '../../prisma/store/deleteForgotten.ts';
import { deleteOldDeliveries } from '../../prisma/store/eventDelivery/deleteOldDeliveries.ts';
import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { deleteOldFacts } from '../../prisma/store/memory/facts.ts';
import { deleteOldChanges } from '../../prisma/store/object/changes.ts';
import { type Duty, type DutyParts, inRounds } from './duty.ts';

/** Rows that one statement deletes. */
const MOST = { executions: 100, steps: 5_000, iterations: 5_000 };

/** Executions that ended earlier than so many days ago. */
export function forgetOld({ database }: Pick<DutyParts, 'database'>, retentionDays: number, intervalMs: number): Duty {
  const forget = async () => {
    const { executions, steps, iterations } = await deleteOldExecutions(database, retentionDays, MOST);
    return executions === MOST.executions || steps === MOST.steps || iterations === MOST.iterations;
  };
  return { name: 'forget old executions', intervalMs, run: (stopped) => inRounds(stopped, forget) };
}

/** Rows that one statement deletes. */
const BATCH = 1_000;

/**
 * Deletes facts older than the agent's memoryRetentionDays. Reads ignore them from then on, even before the deletion.
 */
export function forgetFacts({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  const forget = async () => (await deleteOldFacts(database, BATCH)) === BATCH;
  return { name: 'forget old facts of agents', intervalMs, run: (stopped) => inRounds(stopped, forget) };
}

/** Rows that one statement deletes. */
const EXPIRED_BATCH = 1_000;

/** Rows whose time is over: idempotency keys and their like, changes of entities, deliveries of events and entries of the audit log after so many days. */
export function sweepExpired(
  { database }: Pick<DutyParts, 'database'>,
  { objectChangeDays, eventDays, auditDays }: { objectChangeDays: number; eventDays: number; auditDays: number },
  intervalMs: number,
): Duty {
  return {
    name: 'delete expired rows',
    intervalMs,
    async run(stopped) {
      for (const table of EXPIRING_TABLES) {
        await inRounds(stopped, async () => (await deleteExpired(database, table, EXPIRED_BATCH)) === EXPIRED_BATCH);
      }
      await inRounds(stopped, async () => (await deleteForgotten(database, EXPIRED_BATCH)) >= EXPIRED_BATCH);
      const deleteChanges = () => deleteOldChanges(database, objectChangeDays, EXPIRED_BATCH);
      await inRounds(stopped, async () => (await deleteChanges()) === EXPIRED_BATCH);
      const deleteDeliveries = () => deleteOldDeliveries(database, eventDays, EXPIRED_BATCH);
      await inRounds(stopped, async () => (await deleteDeliveries()) === EXPIRED_BATCH);
      if (auditDays === 0) return;
      const deleteEntries = () => deleteOldEntries(database, auditDays, EXPIRED_BATCH);
      await inRounds(stopped, async () => (await deleteEntries()) === EXPIRED_BATCH);
    },
  };
}
