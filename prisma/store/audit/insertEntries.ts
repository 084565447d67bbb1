import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** `unknown`: the act has begun, and nothing has told what became of it. */
export const OUTCOMES = ['success', 'failure', 'denied', 'unknown'] as const;
export type AuditOutcome = (typeof OUTCOMES)[number];

export interface AuditActor {
  type: 'user' | 'apiKey';
  id: string;
}

export interface AuditEntry {
  /** UUIDv7: what is old is found by it. */
  id: string;
  workspaceId: string;
  /** Null: nobody who is known. */
  actor: AuditActor | null;
  /** An operationId of openapi.yaml. */
  action: string;
  resourceType: string;
  resourceId: string | null;
  outcome: AuditOutcome;
  address: string;
  requestId: string;
}

/** Entries of many workspaces together: each names its own. */
export async function insertEntries(database: Database, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ actor, ...entry }) => ({ ...entry, actorType: actor?.type, actorId: actor?.id }));
  // Raw: many rows in one statement; writes wait for it.
  await rowsOf(
    database,
    Prisma.sql`
    INSERT INTO audit_entries
      (id, workspace_id, actor_type, actor_id, action, resource_type, resource_id, outcome, address, request_id)
    SELECT e.id, e."workspaceId", e."actorType", e."actorId", e.action, e."resourceType", e."resourceId", e.outcome,
      e.address, e."requestId"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (id uuid, "workspaceId" uuid, "actorType" text,
      "actorId" uuid, action text, "resourceType" text, "resourceId" text, outcome text, address text, "requestId" text)`,
  );
}
