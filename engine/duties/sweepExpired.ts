import { deleteOldEntries } from '../../prisma/store/audit/deleteOldEntries.ts';
import { deleteExpired, EXPIRING_TABLES } from '../../prisma/store/deleteExpired.ts';
import { deleteOldChanges } from '../../prisma/store/object/deleteOldChanges.ts';
import { type Duty, type DutyParts, inRounds } from './duty.ts';

/** What is deleted in one statement. */
const EXPIRED_BATCH = 1_000;

/** Rows whose time is over: idempotency keys and their like, changes of entities and entries of the audit log after so many days. */
export function sweepExpired(
  { database }: Pick<DutyParts, 'database'>,
  { objectChangeDays, auditDays }: { objectChangeDays: number; auditDays: number },
  intervalMs: number,
): Duty {
  return {
    name: 'sweep what has expired',
    intervalMs,
    async run(stopped) {
      for (const table of EXPIRING_TABLES) {
        await inRounds(stopped, async () => (await deleteExpired(database, table, EXPIRED_BATCH)) === EXPIRED_BATCH);
      }
      const deleteChanges = () => deleteOldChanges(database, objectChangeDays, EXPIRED_BATCH);
      await inRounds(stopped, async () => (await deleteChanges()) === EXPIRED_BATCH);
      if (auditDays === 0) return;
      const deleteEntries = () => deleteOldEntries(database, auditDays, EXPIRED_BATCH);
      await inRounds(stopped, async () => (await deleteEntries()) === EXPIRED_BATCH);
    },
  };
}
