import type { Viewer } from '../../domain/access/viewer.ts';
import { isUuid } from '../../domain/isUuid.ts';
import type { Json } from '../../domain/json.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import { notFound, type ReadOptions } from './readResource.ts';
import { noneOf, refusedWrite } from './refusals.ts';
import { type Refusal, type Resource, resourceFor } from './resource.ts';
import { checkReadQuery } from './resourceQuery.ts';
import { rowOf } from './rows.ts';
import { type Expected, staleRefusals, type TaggedRow, tagColumns, taggedItem, withRowTag } from './rowTag.ts';

export interface ChangeOptions extends ReadOptions {
  frozen?: readonly Refusal[] | undefined;
  /** The state that the row must have; otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

/**
 * Returns the row as a read would. An empty change is refused like any other. Throws NOT_FOUND, CONFLICT for a frozen
 * row, VALIDATION_FAILED for an unknown expansion, and violated constraints (constraints.ts).
 */
export async function changeResource(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  id: string,
  change: Readonly<Record<string, Json>>,
  options: ChangeOptions = {},
): Promise<Item> {
  const assignments = Object.entries(change).map(([name, value]) => assignment(resource, viewer, name, value));
  const { query = {}, scope, answerBytes = DEFAULT_ANSWER_BYTES } = options;
  const frozen = [...(resource.frozen ?? []), ...(options.frozen ?? []), ...staleRefusals(options.expected)];
  const { fields, flags } = checkReadQuery(resource, query);
  if (!isUuid(id)) throw notFound(resource);
  const item = itemsSql(
    { resource: resourceFor(resource, viewer), fields, answerBytes, single: true },
    Prisma.sql`FROM changed t`,
    tagColumns(resource),
  );
  const where = Prisma.sql`${rowOf(resource, viewer, id, { flags, scope })} AND ${noneOf(frozen)}`;
  const changed =
    assignments.length === 0
      ? Prisma.sql`SELECT t.* FROM ${resource.table} t WHERE ${where}`
      : Prisma.sql`UPDATE ${resource.table} t SET ${Prisma.join(assignments)}, updated_at = now() WHERE ${where} RETURNING t.*`;
  const [row] = await rowsOf<TaggedRow>(
    database,
    Prisma.sql`WITH changed AS (${changed}) SELECT ${taggedItem(resource)} FROM (${item}) page`,
  );
  if (!row) throw await refusedWrite(database, viewer, resource, id, scope, frozen);
  return withRowTag(itemOf(resource, JSON.parse(row.item) as Item, database), row.tag);
}

export function assignment({ name, changes }: Resource, viewer: Viewer, member: string, value: Json): Prisma.Sql {
  const change = changes?.[member];
  if (!change) throw new Error(`openapi.yaml lets PATCH of ${name} set ${member}, and its resource does not`);
  return change(value, viewer);
}
