import type { IngestionRef } from '../../../domain/knowledge/ingestion.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { anyDue, claimableIds, type DueCondition, type DueRows, either } from '../dueRows.ts';

/** Longer than an upload takes to start its workflow; also the pause between two checks of one document. */
const QUIET_MS = 10_000;
/** How long a failed document is kept for its upload, which polls it at least once a minute. */
const FAILED_MS = 3_600_000;

function untended(status: 'INGESTING' | 'FAILED', ageMs: number): DueRows {
  return {
    table: Prisma.sql`knowledge_documents`,
    waiting: Prisma.sql`status <> 'READY'`,
    time: Prisma.sql`tended_at`,
    until: Prisma.sql`now() - ${ageMs}::int * interval '1 ms'`,
    wanted: Prisma.sql`status = ${status}`,
  };
}

const INGESTIONS = untended('INGESTING', QUIET_MS);
const FAILURES = untended('FAILED', FAILED_MS);

export const anyUntended = (buckets: readonly number[]): DueCondition =>
  either(anyDue(INGESTIONS, buckets), anyDue(FAILURES, buckets));

/** Claims documents of any workspace that are being ingested and have not been checked recently. Housekeeping. */
export function ingestionsToTend(
  database: Database,
  buckets: readonly number[],
  limit: number,
): Promise<IngestionRef[]> {
  return rowsOf(
    database,
    Prisma.sql`
    UPDATE knowledge_documents t SET tended_at = now() WHERE t.id = ANY (${claimableIds(INGESTIONS, buckets, limit)})
    RETURNING t.workspace_id AS "workspaceId", t.knowledge_id AS "knowledgeId", t.id AS "documentId"`,
  );
}

export async function dropFailedDocuments(
  database: Database,
  buckets: readonly number[],
  limit: number,
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    DELETE FROM knowledge_documents WHERE id = ANY (${claimableIds(FAILURES, buckets, limit)})`);
}
