import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export async function sampleObjects(
  database: Database,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (slugs.length === 0) return new Map();
  const rows = await rowsOf<{ slug: string; id: string }>(
    database,
    Prisma.sql`
    SELECT y.slug, one.id FROM object_types y CROSS JOIN LATERAL (
      SELECT o.id FROM objects o WHERE o.workspace_id = y.workspace_id AND o.object_type_id = y.id AND o.deleted_at IS NULL
      ORDER BY o.updated_at DESC, o.id DESC LIMIT 1
    ) one
    WHERE y.workspace_id = ${workspaceId}::uuid AND y.slug = ANY(${[...slugs]}::text[])`,
  );
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}
