import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** False if `maxUploads` other contents that no app names are there. An equal content is kept, for another day. */
export async function putContent(
  database: Database,
  workspaceId: string,
  { digest, content, maxUploads }: { digest: string; content: Uint8Array<ArrayBuffer>; maxUploads: number },
): Promise<boolean> {
  const rows = await rowsOf(
    database,
    Prisma.sql`
    INSERT INTO app_contents (workspace_id, digest, content)
    SELECT ${workspaceId}::uuid, ${digest}, ${content} WHERE (
      SELECT count(*) FROM app_contents c WHERE c.workspace_id = ${workspaceId}::uuid AND c.digest <> ${digest}
        AND ${isUnnamed}) < ${maxUploads}::int
    ON CONFLICT (workspace_id, digest) DO UPDATE SET put_at = now()
    RETURNING digest`,
  );
  return rows.length > 0;
}

const isUnnamed = Prisma.sql`NOT EXISTS (SELECT FROM app_versions v
  WHERE v.workspace_id = c.workspace_id AND v.content_digest = c.digest)`;

/** Undefined if the workspace has none of this digest. */
export async function readContent(
  database: Database,
  workspaceId: string,
  digest: string,
): Promise<Uint8Array | undefined> {
  const row = await database.appContent.findUnique({
    where: { workspaceId_digest: { workspaceId, digest } },
    select: { content: true },
  });
  return row?.content;
}

/** Returns those of the digests that are stored, and keeps them for another day. */
export async function keepContents(
  database: Database,
  workspaceId: string,
  digests: readonly string[],
): Promise<Set<string>> {
  if (digests.length === 0) return new Set();
  const rows = await rowsOf<{ digest: string }>(
    database,
    Prisma.sql`UPDATE app_contents SET put_at = now()
      WHERE workspace_id = ${workspaceId}::uuid AND digest = ANY (${[...digests]}::text[]) RETURNING digest`,
  );
  return new Set(rows.map(({ digest }) => digest));
}

/** Deletes contents that no app has named for a day. Returns their number. */
export async function deleteUnnamedContents(database: Database, limit: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM app_contents WHERE (workspace_id, digest) IN (
      SELECT c.workspace_id, c.digest FROM app_contents c
      WHERE c.put_at < now() - interval '1 day' AND ${isUnnamed}
      ORDER BY c.put_at LIMIT ${limit}::int)`;
}
