import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { AuditOutcome } from './insertEntries.ts';

export interface Settlement {
  id: string;
  outcome: AuditOutcome;
  /** Of what the act has made; null where that was known, or nothing was made. */
  resourceId: string | null;
}

/** What became of acts, of many workspaces together: an entry's id is known to the process alone that has made it. */
export async function settleEntries(database: Database, settlements: readonly Settlement[]): Promise<void> {
  // Raw: many rows in one statement.
  await rowsOf(
    database,
    Prisma.sql`
    UPDATE audit_entries t SET outcome = s.outcome, resource_id = COALESCE(s."resourceId", t.resource_id)
    FROM jsonb_to_recordset(${JSON.stringify(settlements)}::jsonb) AS s (id uuid, outcome text, "resourceId" text)
    WHERE t.id = s.id`,
  );
}
