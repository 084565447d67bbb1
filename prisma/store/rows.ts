import type { Viewer } from '../../domain/access/viewer.ts';
import { Prisma } from '../generated/client.ts';
import type { Resource } from './resource.ts';

const NO_FLAGS: ReadonlySet<string> = new Set();

export interface Selection {
  flags?: ReadonlySet<string> | undefined;
  conditions?: readonly Prisma.Sql[] | undefined;
  /** Ids of parents, by the names of Resource.scope. */
  scope?: Readonly<Record<string, string>> | undefined;
}

export interface Key {
  name: string;
  value: string;
}

/** The WHERE of lists, counts, bulk operations and exports: rows `t` of the workspace that this caller may see. */
export function listedRows(resource: Resource, viewer: Viewer, selection: Selection): Prisma.Sql {
  const { flags = NO_FLAGS, conditions = [] } = selection;
  return allOf([
    ...places(resource, viewer, selection),
    ...conditions,
    ...(resource.listed ? [resource.listed(flags, viewer)] : []),
  ]);
}

/** The WHERE of reads and writes of row `t`. It also finds rows that lists hide. */
export function rowOf(resource: Resource, viewer: Viewer, id: string, selection: Selection): Prisma.Sql {
  return rowWhere(resource, viewer, Prisma.sql`t.id = ${id}::uuid`, selection);
}

export function rowByKey(resource: Resource, viewer: Viewer, key: Key, selection: Selection): Prisma.Sql {
  const column = resource.keys?.[key.name];
  if (!column) throw new Error(`${resource.name} has no key ${key.name}`);
  return rowWhere(resource, viewer, Prisma.sql`${column} = ${key.value}`, selection);
}

function rowWhere(resource: Resource, viewer: Viewer, named: Prisma.Sql, selection: Selection): Prisma.Sql {
  const parents = parentsOf(resource, viewer, selection).map(({ there }) => there);
  return allOf([...places(resource, viewer, selection), ...parents, named]);
}

export function parentsOf(
  resource: Resource,
  viewer: Viewer,
  { flags = NO_FLAGS, scope }: Selection,
): { parent: Resource; there: Prisma.Sql }[] {
  return scopesOf(resource, scope).map(({ parent, id }) => ({
    parent,
    there: Prisma.sql`EXISTS (SELECT FROM ${parent.table} t WHERE ${rowOf(parent, viewer, id, { flags })})`,
  }));
}

/** Conditions of a deletion that lock a parent (ResourceScope.lockedFirst) before the row itself. */
export function lockedParents(resource: Resource, viewer: Viewer, scope: Selection['scope']): Prisma.Sql[] {
  return scopesOf(resource, scope).flatMap(({ parent, id, lockedFirst }) =>
    lockedFirst
      ? [Prisma.sql`EXISTS (SELECT FROM ${parent.table} t WHERE ${rowOf(parent, viewer, id, {})} FOR NO KEY UPDATE)`]
      : [],
  );
}

function places(
  resource: Resource,
  viewer: Viewer,
  { flags = NO_FLAGS, scope }: Pick<Selection, 'flags' | 'scope'>,
): Prisma.Sql[] {
  return [
    Prisma.sql`t.workspace_id = ${viewer.workspaceId}::uuid`,
    ...scopesOf(resource, scope).map(({ column, id }) => Prisma.sql`${column} = ${id}::uuid`),
    ...(resource.visible ? [resource.visible(flags, viewer)] : []),
  ];
}

function scopesOf(resource: Resource, scope: Selection['scope']) {
  return Object.entries(scope ?? {}).map(([name, id]) => {
    const found = resource.scope?.[name];
    if (!found) throw new Error(`${resource.name} has no scope ${name}`);
    return { ...found, id };
  });
}

function allOf(conditions: Prisma.Sql[]): Prisma.Sql {
  return Prisma.join(conditions, ' AND ');
}
