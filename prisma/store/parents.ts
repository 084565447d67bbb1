import type { Viewer } from '../../domain/access/viewer.ts';
import { Prisma } from '../generated/client.ts';
import { notFound } from './readResource.ts';
import type { Resource } from './resource.ts';
import { parentsOf, type Selection } from './rows.ts';

export type ParentsRow = boolean[] | null;

export interface ParentChecks {
  /** Checks the parents in the statement of a list, which distinguishes an empty list from a missing parent. */
  sql: Prisma.Sql;
  /** Throws NOT_FOUND for the first missing parent. */
  require(row: ParentsRow): void;
}

export function parentChecks(resource: Resource, viewer: Viewer, selection: Selection): ParentChecks {
  const parents = parentsOf(resource, viewer, selection);
  const there = parents.map((each) => each.there);
  return {
    sql: there.length > 0 ? Prisma.sql`ARRAY[${Prisma.join(there)}]` : Prisma.sql`NULL`,
    require(row) {
      const missing = parents.find((_, index) => row?.[index] !== true);
      if (missing) throw notFound(missing.parent);
    },
  };
}
