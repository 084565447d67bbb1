import type { Viewer } from '../../../domain/access/viewer.ts';
import { movesTo } from '../../../domain/queue/itemMoves.ts';
import { ITEM_STATUSES, type ItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { ReadOptions } from '../readResource.ts';
import { type Transitioned, transition } from '../transition.ts';
import type { Actor } from './history.ts';
import { movedBy } from './history.ts';
import { errorRecord, type ItemError } from './itemError.ts';
import { frozenUnlessHeld, type LeaseProof, leaseBegins, leaseHolds } from './lease.ts';
import { QUEUE_ITEM } from './resource.ts';
import { arrivalAt, ofQueue } from './statusAssignments.ts';

export interface ItemMove {
  to: ItemStatus;
  by: Actor;
  note?: string | undefined;
  error?: ItemError | undefined;
  /** The new schedule, for PENDING. */
  scheduledFor?: string | undefined;
  /** The lease that the caller claims to have. */
  lease?: LeaseProof | undefined;
  /** The duration of the caller's lease in milliseconds, for PROCESSING. */
  leaseMs?: number | undefined;
}

/** Default lease of a move to PROCESSING, so that an item never stays with a caller that is gone. */
const BY_HAND_MS = 900_000;

const RETRIES_REMAIN = Prisma.sql`t.retry_count < ${ofQueue('max_retries')}`;

const TRUE = Prisma.sql`true`;

/** Moves an item by the matrix (domain/queue/itemMoves.ts). Only one of two concurrent calls moves it. */
export function moveItem(
  database: Database,
  viewer: Viewer,
  itemId: string,
  { to, by, note, error, scheduledFor, lease, leaseMs = BY_HAND_MS }: ItemMove,
  options: ReadOptions,
): Promise<Transitioned> {
  const time = scheduledFor === undefined ? undefined : Prisma.sql`${scheduledFor}::timestamptz(3)`;
  return transition(
    database,
    viewer,
    QUEUE_ITEM,
    itemId,
    {
      state: Prisma.sql`t.status`,
      from: movesTo(to),
      when: Prisma.sql`(${to === 'RETRYING' ? RETRIES_REMAIN : TRUE}) AND (${lease ? leaseHolds(lease) : TRUE})`,
      set: [
        ...arrivalAt(to, { scheduledFor: time }),
        ...(to === 'PROCESSING' ? leaseBegins(by, leaseMs) : []),
        ...(time ? [Prisma.sql`scheduled_for = ${time}`] : []),
        ...(error ? [Prisma.sql`last_error = ${error.message}, last_error_at = now()`] : []),
        ...movedBy(by, { note }),
      ],
      ...(error ? { record: errorRecord(error, by) } : {}),
      before: Prisma.sql`t.execution_id`,
      frozen: frozenUnlessHeld(lease ?? { by }, to),
    },
    options,
  );
}

/** A move outside the matrix, requested by a user. */
export interface OnceMove {
  from: readonly ItemStatus[];
  when?: Prisma.Sql;
  set: readonly Prisma.Sql[];
}

/** Moves FAILED to RETRYING, due now, if retries remain; spends none. */
export const RETRY: OnceMove = {
  from: ['FAILED'],
  when: RETRIES_REMAIN,
  set: arrivalAt('RETRYING', { retryAt: Prisma.sql`now()` }),
};

export function moveItemOnce(
  database: Database,
  viewer: Viewer,
  itemId: string,
  { set, ...move }: OnceMove,
  { by, moveId }: { by: Actor; moveId: string },
  options: ReadOptions,
): Promise<Transitioned> {
  const whole = {
    ...{ ...move, state: Prisma.sql`t.status`, before: Prisma.sql`t.last_execution_id` },
    set: [...set, ...movedBy(by, { id: moveId })],
  };
  return transition(database, viewer, QUEUE_ITEM, itemId, whole, options);
}

/** Sets `lastExecution`. `moved` is false if the workspace has no such execution. */
export function linkExecution(
  database: Database,
  viewer: Viewer,
  itemId: string,
  executionId: string,
  options: ReadOptions,
): Promise<Transitioned> {
  const move = {
    state: Prisma.sql`t.status`,
    from: ITEM_STATUSES,
    guard: Prisma.sql`EXISTS (SELECT FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${viewer.workspaceId}::uuid)`,
    set: [Prisma.sql`last_execution_id = ${executionId}::uuid`],
  };
  return transition(database, viewer, QUEUE_ITEM, itemId, move, options);
}
