import type { IngestionRef } from '../../../domain/knowledge/ingestion.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Longer than an upload takes to start its workflow; also the pause between two looks at one document. */
const QUIET_MS = 10_000;
/** Time for which a failed document is kept for its upload, which reads it at least once a minute. */
const FAILED_MS = 3_600_000;

/** Documents that are being ingested and that nobody has looked at for a while, of every workspace: housekeeping. */
export function ingestionsToTend(database: Database, limit: number): Promise<IngestionRef[]> {
  // Raw: a batch that no other process has its hands on, by the database's clock.
  return rowsOf(
    database,
    Prisma.sql`
    UPDATE knowledge_documents t SET tended_at = now() WHERE t.id IN (
      SELECT id FROM knowledge_documents
      WHERE status = 'INGESTING' AND tended_at < now() - ${QUIET_MS}::int * interval '1 ms'
      ORDER BY tended_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    ) RETURNING t.workspace_id AS "workspaceId", t.knowledge_id AS "knowledgeId", t.id AS "documentId"`,
  );
}

/** Over all workspaces: housekeeping. */
export async function dropFailedDocuments(database: Database, limit: number): Promise<void> {
  // Raw: as above.
  await database.$executeRaw(Prisma.sql`
    DELETE FROM knowledge_documents WHERE id IN (
      SELECT id FROM knowledge_documents
      WHERE status = 'FAILED' AND tended_at < now() - ${FAILED_MS}::int * interval '1 ms'
      ORDER BY tended_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
