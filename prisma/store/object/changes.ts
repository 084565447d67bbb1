import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { isoTime } from '../resource.ts';

/** A reader's position in the changes. Numbers are texts, because they may exceed JSON's safe integers. */
export interface ChangePosition {
  transaction: string;
  id: string;
}

export interface ObjectChange {
  id: string;
  change: 'created' | 'updated' | 'stateChanged' | 'deleted' | 'restored';
  from: string | null;
  to: string | null;
  at: string;
  /** The current state, with all later changes. */
  object: {
    id: string;
    name: string;
    state: string | null;
    attributes: JsonObject;
    objectType: { id: string; name: string; slug: string };
  };
}

export interface Changes {
  items: (ObjectChange & {
    /** The users behind the change and behind later changes that are visible in the entity. */
    starters: string[];
  })[];
  position: ChangePosition;
}

interface ChangeRow {
  transaction: string;
  id: string;
  objectId: string;
  starters: string[];
  newestStarters: string[];
  /** Null: the filter excludes it. */
  item: Omit<ObjectChange, 'id'> | null;
}

/** A transaction gets its number at its first write: no change can appear before the oldest running one. */
const SETTLED = Prisma.sql`c.transaction_id <
  (SELECT transactions_before() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

/** Returns the changes after a position. Reads at most `most`, including those that the filter excludes. */
export async function readObjectChanges(
  database: Database,
  workspaceId: string,
  from: ChangePosition,
  { slug, kinds }: { slug: string | undefined; kinds: readonly string[] },
  most: number,
): Promise<Changes> {
  const wanted = [
    ...(slug === undefined ? [] : [Prisma.sql`y.slug = ${slug}`]),
    ...(kinds.length === 0 ? [] : [Prisma.sql`c.kind = ANY(${[...kinds]}::text[])`]),
    Prisma.sql`true`,
  ];
  const rows = await rowsOf<ChangeRow>(
    database,
    Prisma.sql`
    SELECT c.transaction_id::text AS transaction, c.id::text AS id,
      CASE WHEN ${Prisma.join(wanted, ' AND ')} THEN json_build_object('change', c.kind, 'from', c.from_state, 'to', c.to_state,
        'at', ${isoTime(Prisma.sql`c.at`)}, 'object', json_build_object('id', o.id, 'name', o.name, 'state', o.state,
          'attributes', o.attributes, 'objectType', json_build_object('id', y.id, 'name', y.name, 'slug', y.slug))) END AS item,
      c.object_id AS "objectId", c.starters, o.starters AS "newestStarters"
    FROM (
      SELECT c.* FROM object_changes c
      WHERE c.workspace_id = ${workspaceId}::uuid
        AND (c.transaction_id, c.id) > (${from.transaction}::bigint, ${from.id}::bigint) AND ${SETTLED}
      ORDER BY c.transaction_id, c.id LIMIT ${most}::int
    ) c JOIN objects o ON o.id = c.object_id JOIN object_types y ON y.id = o.object_type_id
    ORDER BY c.transaction_id, c.id`,
  );
  const last = rows.at(-1);
  return {
    items: withStarters(rows).flatMap(({ id, starters, item }) => (item ? [{ id, starters, ...item }] : [])),
    position: last ? { transaction: last.transaction, id: last.id } : from,
  };
}

/** Adds to each change the users behind later changes and behind the newest write, which may not be among the rows. */
function withStarters(rows: readonly ChangeRow[]): ChangeRow[] {
  const byObject = new Map<string, Set<string>>();
  const backwards = rows.toReversed().map((row) => {
    const persons = byObject.get(row.objectId) ?? new Set(row.newestStarters);
    for (const person of row.starters) persons.add(person);
    byObject.set(row.objectId, persons);
    return { ...row, starters: [...persons] };
  });
  return backwards.toReversed();
}

/** Ids rise with time, except among concurrent transactions. */
export function deleteOldChanges(database: Database, days: number, limit: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM object_changes WHERE ctid IN (
      SELECT c.ctid FROM object_changes c
      WHERE c.id IN (SELECT f.id FROM object_changes f ORDER BY f.id LIMIT ${limit}::int)
        AND c.at <= now() - make_interval(days => ${days}::int)
      FOR UPDATE SKIP LOCKED
    )`;
}
