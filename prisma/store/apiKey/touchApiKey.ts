import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Records the use, at most once a minute however many requests ask at the same time. */
export async function touchApiKey(database: Database, workspaceId: string, id: string): Promise<void> {
  // Raw: of many requests at once one writes, by the database's clock.
  await database.$executeRaw(Prisma.sql`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
      AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`);
}
