import { v7 } from 'uuid';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** `unknown`: the operation has begun, and its result is not recorded. */
export const OUTCOMES = ['success', 'failure', 'denied', 'unknown'] as const;
export type AuditOutcome = (typeof OUTCOMES)[number];

export interface AuditActor {
  type: 'user' | 'apiKey';
  id: string;
}

export interface AuditEntry {
  /** UUIDv7, whose order finds old entries. */
  id: string;
  workspaceId: string;
  /** Null: unknown. */
  actor: AuditActor | null;
  /** An operationId of openapi.yaml. */
  action: string;
  resourceType: string;
  resourceId: string | null;
  outcome: AuditOutcome;
  address: string;
  requestId: string;
}

/** Inserts entries of several workspaces. `audited_name` reads each resource's name before the operation changes it. */
export async function insertEntries(database: Database, entries: readonly AuditEntry[]): Promise<void> {
  const rows = entries.map(({ actor, ...entry }) => ({ ...entry, actorType: actor?.type, actorId: actor?.id }));
  await rowsOf(
    database,
    Prisma.sql`
    INSERT INTO audit_entries
      (id, workspace_id, actor_type, actor_id, action, resource_type, resource_id, resource_name, outcome, address, request_id)
    SELECT e.id, e."workspaceId", e."actorType", e."actorId", e.action, e."resourceType", e."resourceId",
      audited_name(e."workspaceId", e."resourceType", e."resourceId"), e.outcome, e.address, e."requestId"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (id uuid, "workspaceId" uuid, "actorType" text,
      "actorId" uuid, action text, "resourceType" text, "resourceId" text, outcome text, address text, "requestId" text)`,
  );
}

export interface AuditSettlement {
  id: string;
  outcome: AuditOutcome;
  /** Null if it was known before, or nothing was created. */
  resourceId: string | null;
}

/** Has no workspace condition: only the process that wrote an entry knows its id. */
export async function settleEntries(database: Database, settlements: readonly AuditSettlement[]): Promise<void> {
  await rowsOf(
    database,
    Prisma.sql`
    UPDATE audit_entries t SET outcome = s.outcome, resource_id = COALESCE(s."resourceId", t.resource_id),
      resource_name = CASE WHEN s."resourceId" IS NULL THEN t.resource_name
        ELSE audited_name(t.workspace_id, t.resource_type, s."resourceId") END
    FROM jsonb_to_recordset(${JSON.stringify(settlements)}::jsonb) AS s (id uuid, outcome text, "resourceId" text)
    WHERE t.id = s.id`,
  );
}

/** Writes to the requested workspace of a member, else to their first one. Unknown addresses take as long. */
export async function insertOfPerson(
  database: Database,
  email: string,
  { id, workspaceId }: { id: string; workspaceId: string | undefined },
  entry: Omit<AuditEntry, 'id' | 'workspaceId' | 'actor'>,
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    INSERT INTO audit_entries
      (id, workspace_id, actor_type, actor_id, action, resource_type, resource_id, resource_name, outcome, address, request_id)
    SELECT ${id}::uuid, place.workspace_id, NULL, NULL, ${entry.action}, 'workspaceUser', place.user_id::text, ${email}, ${entry.outcome},
      ${entry.address}, ${entry.requestId}
    FROM (
      SELECT member.workspace_id, member.user_id
      FROM users person JOIN workspace_users member ON member.user_id = person.id
      WHERE person.email = ${email}
      ORDER BY member.workspace_id IS NOT DISTINCT FROM ${workspaceId ?? null}::uuid DESC, member.created_at, member.workspace_id
      LIMIT 1
    ) place`);
}

const DAY_MS = 86_400_000;

export function deleteOldEntries(database: Database, days: number, limit: number): Promise<number> {
  const oldest = v7({ msecs: Date.now() - days * DAY_MS, seq: 0 });
  // Raw: a batch that no other process has locked; ids are ordered by time, so the primary key finds it.
  return database.$executeRaw(Prisma.sql`
    DELETE FROM audit_entries WHERE id IN (
      SELECT id FROM audit_entries WHERE id < ${oldest}::uuid ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
