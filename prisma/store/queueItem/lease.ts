import type { Viewer } from '../../../domain/access/viewer.ts';
import { DEFAULT_ANSWER_BYTES } from '../../../domain/answerBytes.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type Item, itemOf, itemsSql } from '../items.ts';
import type { ReadOptions } from '../readResource.ts';
import { checkReadQuery } from '../resourceQuery.ts';
import { type Transitioned, transition } from '../transition.ts';
import type { Actor } from './actor.ts';
import { arrivalAt } from './arrival.ts';
import { movedBy } from './movedBy.ts';
import { readyItems } from './readyItems.ts';
import { QUEUE_ITEM } from './resource.ts';

/** By which a caller says that an item is still its own: the number of the lease, or that it claimed it. */
export interface LeaseProof {
  number?: number | undefined;
  worker?: string | undefined;
  by: Actor;
}

/** Of row `t`: the lease has not run out, and is this one. */
export function leaseHolds({ number, worker, by }: LeaseProof): Prisma.Sql {
  const own =
    number === undefined
      ? Prisma.sql`t.lease_by = ${JSON.stringify(by)}::jsonb`
      : Prisma.sql`t.lease_number = ${number}::int`;
  return Prisma.sql`coalesce(t.status = 'PROCESSING' AND t.lease_expires_at > now() AND ${own}
    AND (${worker ?? null}::text IS NULL OR t.lease_worker = ${worker ?? null}), false)`;
}

export interface Claim {
  limit: number;
  leaseMs: number;
  worker?: string | undefined;
  by: Actor;
}

function expiresIn(leaseMs: number): Prisma.Sql {
  return Prisma.sql`lease_expires_at = now() + make_interval(secs => ${leaseMs / 1_000}::float8)`;
}

/** Takes up to `limit` ready items of an active queue, in their order; nobody else gets them while the lease holds. */
export async function claimItems(
  database: Database,
  viewer: Viewer,
  queueId: string,
  { limit, leaseMs, worker, by }: Claim,
  { query = {}, answerBytes = DEFAULT_ANSWER_BYTES }: ReadOptions = {},
): Promise<Item[]> {
  const { fields } = checkReadQuery(QUEUE_ITEM, query);
  const shown = { resource: QUEUE_ITEM, fields: [...new Set([...fields, 'lease'])], answerBytes, single: false };
  const set = [
    ...arrivalAt('PROCESSING'),
    expiresIn(leaseMs),
    Prisma.sql`lease_number = t.lease_number + 1`,
    Prisma.sql`lease_worker = ${worker ?? null}`,
    Prisma.sql`lease_by = ${JSON.stringify(by)}::jsonb`,
    ...movedBy(by),
    Prisma.sql`updated_at = now()`,
  ];
  const active = Prisma.sql`(SELECT q.id FROM queues q
    WHERE q.id = ${queueId}::uuid AND q.workspace_id = ${viewer.workspaceId}::uuid AND q.is_active)`;
  const taken = Prisma.sql`FROM taken t ORDER BY t.priority DESC, t.created_at, t.id`;
  // Raw: rows that others have their hands on are passed over, and what is taken is what is answered.
  const rows = await rowsOf<{ item: string }>(
    database,
    Prisma.sql`
    WITH chosen AS MATERIALIZED (${readyItems(viewer.workspaceId, active, { limit, lock: true })}),
    taken AS (
      UPDATE queue_items t SET ${Prisma.join(set)} FROM chosen WHERE t.id = chosen.id RETURNING t.*
    )
    SELECT page.item::text AS item FROM (${itemsSql(shown, taken)}) page`,
  );
  return rows.map(({ item }) => itemOf(QUEUE_ITEM, JSON.parse(item) as Item));
}

/** The lease goes on for `leaseMs` from now. `moved` is false where it has run out, or another has it. */
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
  };
  return transition(database, viewer, QUEUE_ITEM, itemId, move, options);
}
