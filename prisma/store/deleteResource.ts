import type { Viewer } from '../../domain/access/viewer.ts';
import { isUuid } from '../../domain/isUuid.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { notFound } from './readResource.ts';
import { noneOf, refusedWrite } from './refusals.ts';
import type { Resource } from './resource.ts';
import { lockedParents, rowOf } from './rows.ts';
import { type Expected, staleRefusals } from './rowTag.ts';
import { inUse, type UsedKind, usersOf } from './usedBy.ts';

export interface DeleteOptions {
  scope?: Readonly<Record<string, string>>;
  expected?: Expected | undefined;
}

/** Throws NOT_FOUND (again on a second call), IN_USE, CONFLICT, and errors of constraints (constraints.ts). */
export async function deleteResource(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  id: string,
  { scope = {}, expected }: DeleteOptions = {},
): Promise<void> {
  if (!isUuid(id)) throw notFound(resource);
  const { table, softDelete } = resource;
  const undeletable = [...(resource.undeletable ?? []), ...staleRefusals(expected)];
  const used = resource.usedAs;
  const unused = used ? [Prisma.sql`NOT are_used(t.workspace_id, ARRAY[${used} || '/' || t.id])`] : [];
  const row = [rowOf(resource, viewer, id, { scope }), noneOf(undeletable), ...unused];
  const where = Prisma.join([...lockedParents(resource, viewer, scope), ...row], ' AND ');
  const statement = softDelete
    ? Prisma.sql`UPDATE ${table} t SET ${softDelete(viewer)} WHERE ${where} RETURNING t.id`
    : Prisma.sql`DELETE FROM ${table} t WHERE ${where} RETURNING t.id`;
  const rows = await rowsOf<{ id: string }>(database, statement);
  if (rows.length > 0) return;
  const refused = await refusedWrite(database, viewer, resource, id, scope, undeletable);
  if (used && refused.code === 'NOT_FOUND') await refuseUsed(database, viewer, resource, id, used);
  throw refused;
}

/** If the row was used until a moment ago, the error has no users and the caller tries again. */
async function refuseUsed(database: Database, viewer: Viewer, resource: Resource, id: string, used: UsedKind) {
  const seen = await rowsOf(
    database,
    Prisma.sql`SELECT FROM ${resource.table} t WHERE ${rowOf(resource, viewer, id, {})}`,
  );
  if (seen.length > 0) throw inUse(resource, await usersOf(database, viewer.workspaceId, { kind: used, id }));
}
