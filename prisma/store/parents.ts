import type { Viewer } from '../../domain/access/viewer.ts';
import { Prisma } from '../generated/client.ts';
import { notFound } from './readResource.ts';
import type { Resource } from './resource.ts';
import { parentsOf, type Selection } from './rows.ts';

/** What `ParentChecks.sql` gives. */
export type ParentsRow = boolean[] | null;

export interface ParentChecks {
  /** Asks for the parents within the statement of a list, so that an empty list is told from one that is not there. */
  sql: Prisma.Sql;
  /** Throws NOT_FOUND for the first that is not there. */
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
