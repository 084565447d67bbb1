import type { Viewer } from '../../../domain/access/viewer.ts';
import { DEFAULT_ANSWER_BYTES } from '../../../domain/limits.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type Item, itemOf, itemsSql } from '../items.ts';
import type { ReadOptions } from '../readResource.ts';
import { fieldOf, type Refusal } from '../resource.ts';
import { checkReadQuery } from '../resourceQuery.ts';
import { type Transitioned, transition } from '../transition.ts';
import type { Actor } from './history.ts';
import { QUEUE_ITEM } from './resource.ts';

/** Proves that the caller still holds the item: by the lease number, or by having claimed it. */
export interface LeaseProof {
  number?: number | undefined;
  worker?: string | undefined;
  by: Actor;
}

export function leaseHolds({ number, worker, by }: LeaseProof): Prisma.Sql {
  const own =
    number === undefined
      ? Prisma.sql`t.lease_by = ${JSON.stringify(by)}::jsonb`
      : Prisma.sql`t.lease_number = ${number}::int`;
  return Prisma.sql`coalesce(t.status = 'PROCESSING' AND t.lease_expires_at > now() AND ${own}
    AND (${worker ?? null}::text IS NULL OR t.lease_worker = ${worker ?? null}), false)`;
}

/** Whether the caller has moved row `t` to the status under this lease number; its response may have been lost. */
function hasEndedUnder({ number, by }: LeaseProof, status: ItemStatus): Prisma.Sql {
  if (number === undefined) return Prisma.sql`false`;
  return Prisma.sql`coalesce(t.status = ${status} AND t.lease_number = ${number}::int
    AND t.moved_by = ${JSON.stringify(by)}::jsonb, false)`;
}

/** A holder may end its item after the queue was deleted: the work is done. `to`: also again, after success. */
export function frozenUnlessHeld(lease: LeaseProof, to?: ItemStatus): readonly Refusal[] {
  const isDone = to === undefined ? Prisma.sql`false` : hasEndedUnder(lease, to);
  return (QUEUE_ITEM.frozen ?? []).map((refusal) => ({
    ...refusal,
    when: Prisma.sql`(${refusal.when}) AND NOT ${leaseHolds(lease)} AND NOT ${isDone}`,
  }));
}

export function leaseBegins(by: Actor, leaseMs: number): Prisma.Sql[] {
  return [
    expiresIn(leaseMs),
    Prisma.sql`lease_number = t.lease_number + 1, lease_worker = NULL, lease_by = ${JSON.stringify(by)}::jsonb`,
  ];
}

export interface ItemClaim {
  /** The same in each try of the claim. */
  id: string;
  limit: number;
  leaseMs: number;
  worker?: string | undefined;
  by: Actor;
}

function expiresIn(leaseMs: number): Prisma.Sql {
  return Prisma.sql`lease_expires_at = now() + make_interval(secs => ${leaseMs / 1_000}::float8)`;
}

/** The claim itself bounds the size; data and metadata of an item are always included whole. */
const BOUNDED: readonly string[] = ['data', 'metadata'];

/** Claims as many as fit `answerBytes`, at least one. No other caller gets them while the lease is valid. */
export function claimItems(
  database: Database,
  viewer: Viewer,
  queueId: string,
  { id, limit, leaseMs, worker, by }: ItemClaim,
  options: ReadOptions = {},
): Promise<Item[]> {
  const { answerBytes = DEFAULT_ANSWER_BYTES } = options;
  const taken = Prisma.sql`claim_queue_items(${viewer.workspaceId}::uuid, ${queueId}::uuid, ${limit}::int,
    ${answerBytes}::bigint, ${leaseMs}::float8, ${worker ?? null}, ${JSON.stringify(by)}::jsonb, ${id}::uuid) t`;
  return leased(database, taken, options);
}

/** Returns the items that an earlier try of this claim took and still holds. */
export function claimedBefore(
  database: Database,
  viewer: Viewer,
  queueId: string,
  claimId: string,
  options: ReadOptions,
): Promise<Item[]> {
  const held = Prisma.sql`queue_items t WHERE t.workspace_id = ${viewer.workspaceId}::uuid AND t.queue_id = ${queueId}::uuid
    AND t.moved_id = ${claimId}::uuid AND t.lease_expires_at > now()`;
  return leased(database, held, options);
}

async function leased(
  database: Database,
  source: Prisma.Sql,
  { query = {}, answerBytes = DEFAULT_ANSWER_BYTES }: ReadOptions,
): Promise<Item[]> {
  const { fields } = checkReadQuery(QUEUE_ITEM, query);
  const isBounded = fields.every((name) => BOUNDED.includes(name) || !fieldOf(QUEUE_ITEM, name).large);
  const shown = {
    resource: QUEUE_ITEM,
    fields: [...new Set([...fields, 'lease'])],
    answerBytes: isBounded ? Number.POSITIVE_INFINITY : answerBytes,
    single: false,
  };
  const inOrder = Prisma.sql`FROM ${source} ORDER BY t.priority DESC, t.created_at, t.id`;
  const [row] = await rowsOf<{ items: string }>(
    database,
    Prisma.sql`SELECT coalesce(json_agg(page.item), '[]')::text AS items FROM (${itemsSql(shown, inOrder)}) page`,
  );
  const items = JSON.parse(row?.items ?? '[]') as Item[];
  return items.map((item) => itemOf(QUEUE_ITEM, item, database));
}

/** Extends the lease to `leaseMs` from now. `moved` is false if it has expired or another caller has it. */
export function extendLease(
  database: Database,
  viewer: Viewer,
  itemId: string,
  leaseMs: number,
  proof: LeaseProof,
  options: ReadOptions,
): Promise<Transitioned> {
  const move = {
    state: Prisma.sql`t.status`,
    from: ['PROCESSING'],
    when: leaseHolds(proof),
    set: [expiresIn(leaseMs)],
    frozen: frozenUnlessHeld(proof),
  };
  return transition(database, viewer, QUEUE_ITEM, itemId, move, options);
}
