import type { Viewer } from '../../domain/access/viewer.ts';
import { isUuid } from '../../domain/isUuid.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import { notFound, type ReadOptions } from './readResource.ts';
import { noneOf, refusedWrite } from './refusals.ts';
import type { Refusal, Resource } from './resource.ts';
import { checkReadQuery } from './resourceQuery.ts';
import { rowOf } from './rows.ts';

export interface Transition {
  state: Prisma.Sql;
  from: readonly string[];
  when?: Prisma.Sql;
  /** A further condition outside the row; it may lock other rows. */
  guard?: Prisma.Sql;
  /** Assignments; `updated_at` is set too. */
  set: readonly Prisma.Sql[];
  /** A statement that runs with the transition, over row `m` of `moved` (after) and `p` of `present` (before). */
  record?: Prisma.Sql;
  /** A text of row `t` before the transition, for `before` of the result. */
  before?: Prisma.Sql;
  /** Refusals that replace the resource's. */
  frozen?: readonly Refusal[];
}

export interface Transitioned {
  moved: boolean;
  /** The old state; without a transition, the current one. */
  state: string;
  before: string | null;
  item: Item;
}

/** Decides by the current state, after other writers. Throws NOT_FOUND, CONFLICT (frozen), VALIDATION_FAILED. */
export async function transition(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  id: string,
  {
    state,
    from,
    when = Prisma.sql`true`,
    guard = Prisma.sql`true`,
    set,
    record,
    before = Prisma.sql`NULL`,
    frozen = resource.frozen,
  }: Transition,
  { query = {}, scope, answerBytes = DEFAULT_ANSWER_BYTES }: ReadOptions = {},
): Promise<Transitioned> {
  const { fields, flags } = checkReadQuery(resource, query);
  if (!isUuid(id)) throw notFound(resource);
  const shown = { resource, fields, answerBytes, single: true };
  const present = itemsSql(shown, Prisma.sql`FROM present t WHERE NOT EXISTS (SELECT FROM moved)`);
  const moved = itemsSql(shown, Prisma.sql`FROM moved t`);
  const [row] = await rowsOf<Omit<Transitioned, 'item'> & { item: string }>(
    database,
    Prisma.sql`
    WITH guard AS MATERIALIZED (SELECT (${guard}) AS holds), present AS MATERIALIZED (
      SELECT t.*, (${state})::text AS "#state", (${state})::text = ANY(${[...from]}::text[]) AND (${when}) AS "#moves",
        (${before})::text AS "#before state"
      FROM ${resource.table} t WHERE ${rowOf(resource, viewer, id, { flags, scope })} AND ${noneOf(frozen)} FOR UPDATE OF t
    ), moved AS (
      UPDATE ${resource.table} t SET ${Prisma.join([...set])}, updated_at = now()
      FROM present p, guard WHERE p."#moves" AND guard.holds AND t.id = p.id RETURNING t.*
    ) ${record ? Prisma.sql`, recorded AS (${record})` : Prisma.empty}
    SELECT EXISTS (SELECT FROM moved) AS moved, p."#state" AS state, p."#before state" AS before, page.item::text AS item
    FROM present p, (SELECT item FROM (${moved}) of_moved UNION ALL SELECT item FROM (${present}) of_present) page`,
  );
  if (!row) throw await refusedWrite(database, viewer, resource, id, scope, frozen);
  return { ...row, item: itemOf(resource, JSON.parse(row.item) as Item, database) };
}
