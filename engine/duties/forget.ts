import type { Database } from '../../prisma/client.ts';
import { deleteUnnamedContents } from '../../prisma/store/app/contents.ts';
import { deleteOldEntries } from '../../prisma/store/audit/entries.ts';
import { deleteExpiredTokens } from '../../prisma/store/connection/credentialTokens.ts';
import { deleteExpired, EXPIRING_TABLES } from '../../prisma/store/deleteExpired.ts';
import { deleteTombstones, TOMBSTONE_TABLES } from '../../prisma/store/deleteTombstones.ts';
import { deleteOldDeliveries } from '../../prisma/store/eventDelivery/deleteOldDeliveries.ts';
import { deleteOldExecutions } from '../../prisma/store/execution/deleteOldExecutions.ts';
import { deleteOldFacts } from '../../prisma/store/memory/facts.ts';
import { deleteOldChanges } from '../../prisma/store/object/changes.ts';
import { deleteOldStateChanges } from '../../prisma/store/object/deleteOldStateChanges.ts';
import {
  readSweepPlace,
  type SweepPlace,
  type Swept,
  storeSweepPlace,
} from '../../prisma/store/operation/sweepPlaces.ts';
import { deleteOldItems } from '../../prisma/store/queueItem/deleteOldItems.ts';
import { deleteOldTasks } from '../../prisma/store/task/deleteOldTasks.ts';
import { type Duty, type DutyParts, inRounds, SWEEP_ROUNDS } from './duty.ts';

const BATCH = 1_000;

function inBatches(stopped: AbortSignal, remove: () => Promise<number>): Promise<void> {
  return inRounds(stopped, async () => (await remove()) === BATCH, SWEEP_ROUNDS);
}

/** Deletes from the stored position of the sweep, then stores the new one, so that retained rows are not read again. */
async function pastRetainedRows(
  database: Database,
  sweep: string,
  stopped: AbortSignal,
  remove: (from: SweepPlace) => Promise<Swept>,
): Promise<void> {
  const { place: from, beginsHour } = await readSweepPlace(database, sweep);
  let place = from;
  let isAtEnd = false;
  const step = async () => {
    const { reached, hasMore } = await remove(place);
    place = reached ?? place;
    isAtEnd = !hasMore;
    return hasMore;
  };
  await inRounds(stopped, step, SWEEP_ROUNDS);
  if (place !== from) await storeSweepPlace(database, sweep, { place, beginsHour: beginsHour || !isAtEnd });
}

const MAX_OF_EXECUTIONS = { executions: 100, steps: 5_000, iterations: 5_000 };

export function forgetOld({ database }: Pick<DutyParts, 'database'>, retentionDays: number, intervalMs: number): Duty {
  return {
    name: 'forget old executions',
    intervalMs,
    run: (stopped) =>
      pastRetainedRows(database, 'executions', stopped, (from) =>
        deleteOldExecutions(database, retentionDays, MAX_OF_EXECUTIONS, from),
      ),
  };
}

export function forgetItems({ database }: Pick<DutyParts, 'database'>, days: number, intervalMs: number): Duty {
  return {
    name: 'forget ended items of queues',
    intervalMs,
    run: (stopped) => inBatches(stopped, () => deleteOldItems(database, days, BATCH)),
  };
}

/** Conversations per statement; each may have many messages. */
const MAX_CONVERSATIONS = 100;

/** Deletes tasks without activity for `days`. */
export function forgetTasks({ database }: Pick<DutyParts, 'database'>, days: number, intervalMs: number): Duty {
  return {
    name: 'forget old tasks of agents',
    intervalMs,
    run: (stopped) =>
      pastRetainedRows(database, 'tasks', stopped, (from) => deleteOldTasks(database, days, MAX_CONVERSATIONS, from)),
  };
}

export function forgetStateChanges({ database }: Pick<DutyParts, 'database'>, days: number, intervalMs: number): Duty {
  return {
    name: 'forget old state changes of entities',
    intervalMs,
    run: (stopped) =>
      pastRetainedRows(database, 'state_changes', stopped, (from) =>
        deleteOldStateChanges(database, days, BATCH, from),
      ),
  };
}

/** Deletes facts older than the agent's memoryRetentionDays. Reads ignore them even before the deletion. */
export function forgetFacts({ database }: Pick<DutyParts, 'database'>, intervalMs: number): Duty {
  return {
    name: 'forget old facts of agents',
    intervalMs,
    run: (stopped) => inBatches(stopped, () => deleteOldFacts(database, BATCH)),
  };
}

export function sweepExpired(
  { database }: Pick<DutyParts, 'database'>,
  { objectChangeDays, eventDays, auditDays }: { objectChangeDays: number; eventDays: number; auditDays: number },
  intervalMs: number,
): Duty {
  return {
    name: 'delete expired rows',
    intervalMs,
    async run(stopped) {
      for (const table of EXPIRING_TABLES) await inBatches(stopped, () => deleteExpired(database, table, BATCH));
      for (const table of TOMBSTONE_TABLES) {
        await pastRetainedRows(database, table, stopped, (from) => deleteTombstones(database, table, BATCH, from));
      }
      await inBatches(stopped, () => deleteOldChanges(database, objectChangeDays, BATCH));
      await inBatches(stopped, () => deleteOldDeliveries(database, eventDays, BATCH));
      await inBatches(stopped, () => deleteUnnamedContents(database, BATCH));
      await inBatches(stopped, () => deleteExpiredTokens(database, BATCH));
      if (auditDays > 0) await inBatches(stopped, () => deleteOldEntries(database, auditDays, BATCH));
    },
  };
}
