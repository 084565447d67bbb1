import type { Viewer } from '../../domain/access/viewer.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { notFound } from './readResource.ts';
import type { Refusal, Resource } from './resource.ts';
import { rowOf } from './rows.ts';

export function noneOf(refusals: readonly Refusal[] = []): Prisma.Sql {
  if (refusals.length === 0) return Prisma.sql`true`;
  return Prisma.sql`NOT (${Prisma.join(
    refusals.map(({ when }) => Prisma.sql`coalesce(${when}, false)`),
    ' OR ',
  )})`;
}

/** Explains why a write found no row: a refusal with its code, or NOT_FOUND. */
export async function refusedWrite(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  id: string,
  scope: Readonly<Record<string, string>> | undefined,
  refusals: readonly Refusal[] = [],
): Promise<Problem> {
  const refusal = await refusalOf(database, viewer, resource, id, scope, refusals);
  return refusal ? new Problem(refusal.code ?? 'CONFLICT', refusal.detail) : notFound(resource);
}

export async function refusalOf(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  id: string,
  scope: Readonly<Record<string, string>> | undefined,
  refusals: readonly Refusal[] = [],
): Promise<Refusal | undefined> {
  if (refusals.length === 0) return undefined;
  const flags = new Set(Object.keys(resource.flags));
  const holds = refusals.map(({ when }) => Prisma.sql`coalesce(${when}, false)`);
  const [row] = await rowsOf<{ holds: boolean[] }>(
    database,
    Prisma.sql`SELECT ARRAY[${Prisma.join(holds)}] AS holds FROM ${resource.table} t
      WHERE ${rowOf(resource, viewer, id, { flags, scope })}`,
  );
  return refusals.find((_, index) => row?.holds[index] === true);
}
