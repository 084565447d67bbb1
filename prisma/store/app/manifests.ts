import type { CustomApp } from '../../../domain/app/customApp.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Adds 0 for a workspace without apps to the read of a credential. */
export function catalogueRevision(workspaceId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((SELECT c.revision FROM app_catalogues c WHERE c.workspace_id = ${workspaceId}), 0)::float8`;
}

export async function readCatalogueRevision(database: Database, workspaceId: string): Promise<number> {
  const [row] = await rowsOf<{ revision: number }>(
    database,
    Prisma.sql`SELECT ${catalogueRevision(Prisma.sql`${workspaceId}::uuid`)} AS revision`,
  );
  return row?.revision ?? 0;
}

/** Returns the present digests, by slug. */
export async function presentDigests(database: Database, workspaceId: string): Promise<Map<string, string>> {
  const rows = await database.app.findMany({
    where: { workspaceId },
    select: { slug: true, digest: true },
    orderBy: { slug: 'asc' },
  });
  return new Map(rows.map(({ slug, digest }) => [slug, digest]));
}

export async function readManifests(
  database: Database,
  workspaceId: string,
  digests: readonly string[],
): Promise<CustomApp[]> {
  if (digests.length === 0) return [];
  const rows = await database.appVersion.findMany({
    where: { workspaceId, digest: { in: [...digests] } },
    select: { manifest: true },
  });
  return rows.map(({ manifest }) => manifest as unknown as CustomApp);
}

export async function appIdOfSlug(database: Database, workspaceId: string, slug: string): Promise<string | undefined> {
  const row = await database.app.findUnique({
    where: { workspaceId_slug: { workspaceId, slug } },
    select: { id: true },
  });
  return row?.id;
}
