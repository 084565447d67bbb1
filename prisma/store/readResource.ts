import type { Json } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { isUuid, jsonObject, present, type Resource } from './resource.ts';
import { checkExpansion } from './resourceQuery.ts';

/**
 * One row of a workspace with its default fields and those of `expansion`; one statement. Throws NOT_FOUND, the
 * same for an unknown id and for another workspace's, and VALIDATION_FAILED for an unknown expansion.
 */
export async function readResource(
  database: Database,
  workspaceId: string,
  resource: Resource,
  id: string,
  expansion: string | undefined,
): Promise<Record<string, Json>> {
  const fields = checkExpansion(resource, expansion);
  if (!isUuid(id)) throw notFound(resource);
  const [row] = await rowsOf<{ item: string }>(
    database,
    Prisma.sql`
    SELECT ${jsonObject(resource, fields)}::text AS item FROM ${resource.table} t
    WHERE t.workspace_id = ${workspaceId}::uuid AND t.id = ${id}::uuid`,
  );
  if (!row) throw notFound(resource);
  return present(resource, JSON.parse(row.item) as Record<string, Json>);
}

export function notFound(resource: Resource): Problem {
  return new Problem('NOT_FOUND', `The ${resource.noun} does not exist`);
}
